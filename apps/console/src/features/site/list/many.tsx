import type { Site } from '@breakwater/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { to } from '../../../kit/links.ts';
import type { RowAction } from '../../../kit/row-actions.tsx';
import { notify } from '../../../kit/toast.ts';
import { countOf, selectionOf, WhichSites, type ListChoice, type Which } from './selection.tsx';
import { SiteTagsForm } from './tags-form.tsx';
import { siteListText } from './list.text.ts';

type Work = 'online' | 'offline' | 'sync' | 'remove' | 'forceRemove';

/** What can be done with many sites of the list: the selected ones, or all that the filters let through. */
export function useManySites(list: Omit<ListChoice, 'selected'>, recount: () => Promise<unknown>) {
  const t = useText(siteListText);
  const { role } = useAccount();
  const [open, setOpen] = useState<{ what: Work | 'tag'; choice: ListChoice } | null>(null);
  const denied = useDenial();
  const batchActions = (selected: readonly Site[]): RowAction[] => {
    const status = denied('changeSitesStatus');
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
  const dialog =
    open &&
    (open.what === 'tag' ? (
      <SiteTagsForm choice={open.choice} onClose={close} />
    ) : (
      <ManySitesDialog what={open.what} choice={open.choice} recount={recount} onClose={close} />
    ));
  return { batchActions, dialog };
}

interface ManySitesDialogProps {
  what: Work;
  choice: ListChoice;
  /** Reads the list again, after there turned out to be others in it than were counted. */
  recount: () => Promise<unknown>;
  onClose: () => void;
}

function ManySitesDialog({ what, choice, recount, onClose }: ManySitesDialogProps) {
  const t = useText(siteListText);
  const navigate = useNavigate();
  const [which, setWhich] = useState<Which>('selected');
  const setStatus = useChange('changeSitesStatus');
  const sync = useChange('syncSites');
  const remove = useChange('removeSites');
  const force = useChange('removeSitesForced');
  const count = countOf(choice, which);
  const removes = what === 'remove' || what === 'forceRemove';
  const start = async () => {
    const sites = selectionOf(choice, which);
    if (what === 'sync') return sync.mutateAsync({ body: { sites } });
    if (what === 'remove') return remove.mutateAsync({ body: { sites } });
    if (what === 'forceRemove') return force.mutateAsync({ body: { sites } });
    return setStatus.mutateAsync({ body: { sites, status: what } });
  };
  return (
    <Confirm
      title={t.batchTitles[what]}
      body={
        <>
          {t.batchBodies[what]}
          <WhichSites choice={choice} which={which} onChange={setWhich} />
        </>
      }
      action={t[what]}
      destructive={removes || what === 'offline'}
      {...(removes ? { typed: String(count) } : {})}
      onConfirm={async () => {
        const { id } = await start().catch((error: unknown) => {
          void recount();
          throw error;
        });
        notify.success(t.started(count));
        await navigate(to.siteBatchDetail({ id }));
      }}
      onClose={onClose}
    />
  );
}
