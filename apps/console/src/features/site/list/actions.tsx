import type { Site } from '@breakwater/contract';
import { Suspense, useCallback, useState } from 'react';
import { useAccount, useMay } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../i18n/text.ts';
import type { IconName } from '../../../kit/icon-names.ts';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { kitText } from '../../../kit/kit.text.ts';
import type { RowAction } from '../../../kit/row-actions.tsx';
import { notify } from '../../../kit/toast.ts';
import type { Undo } from '../../../frame/undo.ts';
import { useStatusSent } from './status-sent.ts';
import { denialOf, siteActions, type SiteAction } from '../capabilities.ts';
import { siteStatusText } from '../status.text.ts';
import { siteText } from '../site.text.ts';

const SiteActionDialog = lazyOverlay(() =>
  import('./action-dialog.tsx').then((part) => part.SiteActionDialog),
);

interface SiteActionsOptions {
  /** Leaves the page of the site that is removed. */
  leave?: () => Promise<unknown>;
  /** A change went out to the nodes. */
  onSent?: (undo?: Undo) => void;
}

const icons: Record<SiteAction, IconName> = {
  online: 'check',
  offline: 'hide',
  suspend: 'danger',
  refresh: 'reset',
  resync: 'refresh',
  remove: 'delete',
  forceRemove: 'danger',
};
/** Shown in red: these cannot be undone. */
const destructive: readonly SiteAction[] = ['remove', 'forceRemove'];

/** What can be done with a site as a whole, in the list and on its page. */
export function useSiteActions({ leave, onSent }: SiteActionsOptions = {}) {
  const [open, setOpen] = useState<{ action: Exclude<SiteAction, 'online'>; site: Site } | null>(null);
  const putOnline = usePutOnline(onSent);
  const labelOf = useActionLabels();
  const denialFor = useDenials();
  const actionsFor = useCallback(
    (site: Site): RowAction[] =>
      siteActions.flatMap((action): RowAction[] => {
        const denial = denialFor(action, site);
        // What can never be done with such a site is not offered; what cannot be done now is, with its reason.
        if (denial === 'absent') return [];
        const onClick = () => (action === 'online' ? putOnline(site) : setOpen({ action, site }));
        return [
          {
            label: labelOf(action, site),
            icon: icons[action],
            destructive: destructive.includes(action),
            onClick,
            disabledReason: denial?.reason,
          },
        ];
      }),
    [denialFor, labelOf, putOnline],
  );
  const dialog = open && (
    <Suspense>
      <SiteActionDialog {...open} onClose={() => setOpen(null)} leave={leave} onSent={onSent} />
    </Suspense>
  );
  return { actionsFor, dialog };
}

/** Done at once: an error is told in a message, as there is no dialog for it. */
function usePutOnline(onSent: SiteActionsOptions['onSent']) {
  const sent = useStatusSent(onSent);
  const { mutate } = useChange('updateSiteStatus');
  return useCallback(
    (site: Site) =>
      mutate(
        { params: { id: site.id }, body: { version: site.version, status: 'online' } },
        {
          onSuccess: ({ version }) => sent(site, version),
          onError: (error) => notify.refused(error.message),
        },
      ),
    [mutate, sent],
  );
}

function useActionLabels() {
  const { actions } = useText(siteText);
  const status = useText(siteStatusText);
  return useCallback(
    (action: SiteAction, site: Site): string => {
      if (action === 'forceRemove') return status.forceRemove;
      // Whoever puts a site online whose names are not proven goes over the check: the label says so.
      const unproven = site.status === 'checking' || site.status === 'check_failed';
      return action === 'online' && unproven ? status.override : actions[action];
    },
    [actions, status],
  );
}

/** Why something cannot be done with a site (`capabilities.ts`), in words; `absent` where it is not to be offered. */
function useDenials() {
  const kit = useText(kitText);
  const status = useText(siteStatusText);
  const { role } = useAccount();
  const allowed = useMay();
  return useCallback(
    (action: SiteAction, site: Site): 'absent' | { reason: string } | undefined => {
      const edit = allowed('updateSiteStatus');
      const may = {
        online: edit,
        offline: edit,
        suspend: edit,
        refresh: allowed('cleanSiteCache'),
        resync: allowed('forceSiteSync'),
        remove: allowed('removeSite'),
        forceRemove: allowed('removeSiteForced'),
      };
      const denial = denialOf(action, site, { admin: role === 'admin', may });
      if (denial === undefined || denial === 'absent') return denial;
      return { reason: denial === 'noPermission' ? kit.noPermission : status[denial] };
    },
    [allowed, kit, role, status],
  );
}
