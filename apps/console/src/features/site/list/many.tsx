import type { Site } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { to } from '../../../kit/links.ts';
import type { RowAction } from '../../../kit/row-actions.tsx';
import type { ListChoice } from './selection.tsx';
import { siteListText } from './list.text.ts';

/** What a batch does with the sites; `sync` and `forceRemove` are for operators. */
export type Work = 'online' | 'offline' | 'sync' | 'remove' | 'forceRemove';

const ManySitesDialog = lazyOverlay(() => import('./many-dialog.tsx').then((part) => part.ManySitesDialog));
const SiteTagsForm = lazyOverlay(() => import('./tags-form.tsx').then((part) => part.SiteTagsForm));

/** What can be done with many sites of the list: the selected ones, or all that the filters let through. */
export function useManySites(list: Omit<ListChoice, 'selected'>, recount: () => Promise<unknown>) {
  const t = useText(siteListText);
  const { role } = useAccount();
  const [open, setOpen] = useState<{ what: Work | 'tag'; choice: ListChoice } | null>(null);
  const denied = useDenial();
  const navigate = useNavigate();
  const batchActions = (selected: readonly Site[]): RowAction[] => {
    const status = denied('changeSitesStatus');
    // The choice as it is now: the list is read again while the dialog is open, and would move under it.
    const ask = (what: Work | 'tag') => () => setOpen({ what, choice: { ...list, selected } });
    const sync: RowAction = {
      label: t.sync,
      icon: 'refresh',
      onClick: ask('sync'),
      disabledReason: denied('syncSites'),
    };
    const force: RowAction = {
      label: t.forceRemove,
      icon: 'delete',
      destructive: true,
      onClick: ask('forceRemove'),
      disabledReason: denied('removeSitesForced'),
    };
    return [
      { label: t.online, icon: 'check', onClick: ask('online'), disabledReason: status },
      { label: t.offline, icon: 'hide', onClick: ask('offline'), disabledReason: status },
      {
        label: t.protection,
        icon: 'waf',
        // To the form that changes a section of many sites, with the selected ones filled in; which others are
        // meant can be said there.
        onClick: () =>
          void navigate(
            to.siteBatches({
              tab: 'section',
              section: 'matcher_rule',
              site_ids: selected.map(({ id }) => id).join(','),
            }),
          ),
        disabledReason: denied('changeSitesProtection'),
      },
      { label: t.tag, icon: 'bookmark', onClick: ask('tag'), disabledReason: denied('tagSites') },
      ...(role === 'admin' ? [sync] : []),
      {
        label: t.remove,
        icon: 'delete',
        destructive: true,
        onClick: ask('remove'),
        disabledReason: denied('removeSites'),
      },
      ...(role === 'admin' ? [force] : []),
    ];
  };
  const close = () => setOpen(null);
  const dialog = open && (
    <Suspense>
      {open.what === 'tag' ? (
        <SiteTagsForm choice={open.choice} onClose={close} />
      ) : (
        <ManySitesDialog what={open.what} choice={open.choice} recount={recount} onClose={close} />
      )}
    </Suspense>
  );
  return { batchActions, dialog };
}
