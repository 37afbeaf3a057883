import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { to } from '../../../kit/links.ts';
import { notify } from '../../../kit/toast.ts';
import { siteListText } from './list.text.ts';
import type { Work } from './many.tsx';
import { countOf, selectionOf, WhichSites, type ListChoice, type Which } from './selection.tsx';

interface ManySitesDialogProps {
  what: Work;
  choice: ListChoice;
  /** Reads the list again, after there turned out to be others in it than were counted. */
  recount: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is done to many sites, and which they are. */
export function ManySitesDialog({ what, choice, recount, onClose }: ManySitesDialogProps) {
  const t = useText(siteListText);
  const navigate = useNavigate();
  const [which, setWhich] = useState<Which>('selected');
  const setStatus = useChange('changeSitesStatus');
  const sync = useChange('syncSites');
  const remove = useChange('removeSites');
  const force = useChange('removeSitesForced');
  // It is typed before sites are deleted, so that nobody deletes all that match in place of the few that were selected.
  const count = countOf(choice, which);
  const removes = what === 'remove' || what === 'forceRemove';
  /** Each call answers the batch that it began; the work itself goes on after the dialog. */
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
        // Most often it was refused because the number of sites has changed: what is asked about is counted again.
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
