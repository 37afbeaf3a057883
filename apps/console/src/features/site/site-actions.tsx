import type { Site, SiteStatus } from '@breakwater/contract';
import { useCallback, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { siteReads } from './site-reads.ts';
import { siteText } from './site.text.ts';

interface SiteActionsOptions {
  onRemoved?: () => void;
  /** A change went out to the nodes. */
  onSent?: () => void;
}
type What = 'offline' | 'suspended' | 'resync' | 'remove';

/** What can be done with a site as a whole, in the list and on its page. */
export function useSiteActions({ onRemoved, onSent }: SiteActionsOptions = {}) {
  const t = useText(siteText);
  const kit = useText(kitText);
  const { role } = useAccount();
  const may = useMay();
  const [open, setOpen] = useState<{ what: What; site: Site } | null>(null);
  const setStatus = useChange('updateSiteStatus', siteReads);
  const [mayEdit, mayResync] = [may('updateSiteStatus'), may('forceSiteSync')];
  const putOnline = useCallback(
    ({ id, version }: Site) =>
      setStatus.mutate(
        { params: { id }, body: { version, status: 'online' } },
        {
          onSuccess: () => (onSent ? onSent() : notify.success(t.saved.sent)),
          onError: (error) => notify.error(error.message),
        },
      ),
    [onSent, setStatus, t],
  );
  const actionsFor = useCallback(
    (site: Site): RowAction[] => {
      const denied =
        mayEdit && (site.status !== 'suspended' || role === 'admin') ? undefined : kit.noPermission;
      const ask = (what: What) => () => setOpen({ what, site });
      const online: RowAction = {
        label: t.actions.online,
        icon: 'check',
        onClick: () => putOnline(site),
        disabledReason: denied,
      };
      const offline: RowAction = {
        label: t.actions.offline,
        icon: 'hide',
        onClick: ask('offline'),
        disabledReason: denied,
      };
      const forAdmins: RowAction[] = [
        ...(site.status === 'suspended'
          ? []
          : [
              {
                label: t.actions.suspend,
                icon: 'danger',
                onClick: ask('suspended'),
                disabledReason: denied,
              } satisfies RowAction,
            ]),
        {
          label: t.actions.resync,
          icon: 'refresh',
          onClick: ask('resync'),
          disabledReason: mayResync ? undefined : kit.noPermission,
        },
      ];
      return [
        site.status === 'online' ? offline : online,
        ...(role === 'admin' ? forAdmins : []),
        {
          label: t.actions.remove,
          icon: 'delete',
          destructive: true,
          onClick: ask('remove'),
          disabledReason: mayEdit ? undefined : kit.noPermission,
        },
      ];
    },
    [kit, mayEdit, mayResync, putOnline, role, t],
  );
  const dialog = open && (
    <SiteActionDialog {...open} onClose={() => setOpen(null)} onRemoved={onRemoved} onSent={onSent} />
  );
  return { actionsFor, dialog };
}

interface SiteActionDialogProps {
  what: What;
  site: Site;
  onClose: () => void;
  onRemoved: (() => void) | undefined;
  onSent: (() => void) | undefined;
}

function SiteActionDialog({ what, site, onClose, onRemoved, onSent }: SiteActionDialogProps) {
  const t = useText(siteText);
  const remove = useChange('removeSite', ['listSites', 'listTasks']);
  const setStatus = useChange('updateSiteStatus', siteReads);
  const resync = useChange('forceSiteSync', siteReads);
  const params = { id: site.id };
  const domain = site.domains[0] ?? `#${site.id}`;
  const sent = () => (onSent ? onSent() : notify.success(t.saved.sent));
  const set = (status: SiteStatus) => async () => {
    await setStatus.mutateAsync({ params, body: { version: site.version, status } });
    sent();
  };
  const asked = {
    offline: {
      title: t.actions.offlineTitle,
      body: t.actions.offlineBody(domain),
      action: t.actions.offline,
      onConfirm: set('offline'),
    },
    suspended: {
      title: t.actions.suspendTitle,
      body: t.actions.suspendBody(domain),
      action: t.actions.suspend,
      onConfirm: set('suspended'),
    },
    resync: {
      title: t.actions.resyncTitle,
      body: t.actions.resyncBody,
      action: t.actions.resync,
      destructive: false,
      onConfirm: async () => {
        await resync.mutateAsync({ params });
        sent();
      },
    },
    remove: {
      title: t.actions.removeTitle,
      body: t.actions.removeBody,
      action: t.actions.remove,
      typed: domain,
      onConfirm: async () => {
        await remove.mutateAsync({ params });
        notify.success(t.actions.removed);
        onRemoved?.();
      },
    },
  };
  return <Confirm {...asked[what]} onClose={onClose} />;
}
