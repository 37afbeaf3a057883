import {
  adminPermissions,
  builtinGroupText,
  groupName,
  type AdminGroup,
  type AdminPermission,
} from '@breakwater/contract';
import { useCallback, useMemo } from 'react';
import { useHolder } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { useLanguage } from '../../i18n/language.ts';

/** All groups, for choices; of these there are few. */
export function useGroups(): AdminGroup[] {
  return useApi('listAdminGroups', { query: { page_size: 200 } }).data?.list ?? [];
}

/** Name and description as a person reads them; of a shipped group in their language, until somebody changed them. */
export function useGroupName(): (group: Pick<AdminGroup, 'builtin' | 'name'>) => string {
  const language = useLanguage();
  return useCallback((group) => groupName(group, language), [language]);
}
export function useDescription(): (group: AdminGroup) => string {
  const shipped = builtinGroupText[useLanguage()];
  return useCallback(
    ({ builtin, description }) => description ?? (builtin === null ? '' : shipped[builtin].description),
    [shipped],
  );
}

/** What of the catalogue whoever is signed in can grant. */
export function useGrantable(): ReadonlySet<AdminPermission> {
  const { permissions } = useHolder();
  return useMemo(() => new Set(adminPermissions.filter((name) => permissions.has(name))), [permissions]);
}
