import {
  adminPermissions,
  builtinGroupText,
  groupName,
  type AdminGroup,
  type AdminPermission,
} from '@breakwater/contract';
import { useCallback, useMemo } from 'react';
import { useHolder } from '../../api/account.ts';
import { choicesOf } from '../../api/options.ts';
import { useLanguage } from '../../i18n/language.ts';

/** Groups to choose from; those that `isBeyond` says can be seen, not chosen. */
export function useGroupChoices(
  isBeyond?: (group: AdminGroup) => boolean,
  beyond?: (name: string) => string,
) {
  const nameOf = useGroupName();
  return useMemo(
    () =>
      choicesOf(
        'listAdminGroups',
        (name) => ({ name }),
        (group) => {
          const disabled = isBeyond?.(group) === true;
          const name = nameOf(group);
          return { value: group.id, label: disabled && beyond ? beyond(name) : name, disabled };
        },
      ),
    [nameOf, isBeyond, beyond],
  );
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
