import type { Site } from '@breakwater/contract';
import { Box, TextField } from '@mui/material';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { kitText } from '../../../kit/kit.text.ts';
import { notify } from '../../../kit/toast.ts';
import { RefreshLoad } from '../../../frame/refresh-load.tsx';
import { NewsNotice, useAsSeen } from '../../../frame/as-seen.tsx';
import type { Undo } from '../../../frame/undo.ts';
import { useStatusSent } from './status-sent.ts';
import type { SiteAction } from '../capabilities.ts';
import { siteStatusText } from '../status.text.ts';
import { siteText } from '../site.text.ts';
import { readableDomains } from '../../../kit/domain-name.ts';

interface SiteActionDialogProps {
  /** Bringing a site online takes nothing away, and is done without a question. */
  action: Exclude<SiteAction, 'online'>;
  site: Site;
  onClose: () => void;
  /** Leaves the page of a site that is deleted, before it is read again and not found; undefined in the list. */
  leave: (() => Promise<unknown>) | undefined;
  /** Shows how the change reaches the nodes. Undefined in the list, whose rows show that themselves. */
  onSent: ((undo?: Undo) => void) | undefined;
}

interface Asked {
  title: string;
  body: ReactNode;
  action: string;
  destructive?: boolean;
  /** Has to be typed before what cannot be undone. */
  typed?: string;
  failure?: string;
  onConfirm: () => Promise<unknown>;
}

/** Asks before something is done with a site as a whole, in the list and on its page. */
export function SiteActionDialog({ action, site: opened, onClose, leave, onSent }: SiteActionDialogProps) {
  const t = useText(siteText);
  const status = useText(siteStatusText);
  const failure = useText(kitText).failed.deletion;
  const [note, setNote] = useState('');
  const { seen: site, asSeen, isNews } = useAsSeen('listSites', opened);
  const calls = useCalls(site, onSent, leave);
  const domain = readableDomains(site.domains[0] ?? `#${site.id}`);
  const { actions } = t;
  const asked: Record<SiteActionDialogProps['action'], Asked> = {
    offline: {
      title: actions.offlineTitle,
      body: (
        <>
          {actions.offlineBody(domain)}
          {isNews && <SiteNews site={site} />}
        </>
      ),
      action: actions.offline,
      onConfirm: () => asSeen((seen) => calls.setStatus(seen, 'offline')),
    },
    suspend: {
      title: actions.suspendTitle,
      body: (
        <>
          {isNews && <SiteNews site={site} />}
          <SuspendBody text={actions.suspendBody(domain)} note={note} onNote={setNote} />
        </>
      ),
      action: actions.suspend,
      onConfirm: () => asSeen((seen) => calls.setStatus(seen, 'suspended', note.trim())),
    },
    refresh: {
      title: actions.refreshTitle,
      body: (
        <>
          {actions.refreshBody(domain)}
          <RefreshLoad siteIds={[site.id]} />
        </>
      ),
      action: actions.refresh,
      destructive: false,
      onConfirm: calls.refresh,
    },
    resync: {
      title: actions.resyncTitle,
      body: actions.resyncBody,
      action: actions.resync,
      destructive: false,
      onConfirm: calls.resync,
    },
    remove: {
      title: actions.removeTitle,
      body: actions.removeBody,
      action: actions.remove,
      typed: domain,
      failure,
      onConfirm: calls.remove,
    },
    forceRemove: {
      title: status.forceTitle,
      body: status.forceBody,
      action: status.forceRemove,
      typed: domain,
      failure,
      onConfirm: calls.forceRemove,
    },
  };
  return <Confirm {...asked[action]} onClose={onClose} />;
}

/** The calls behind the questions. What they reject with, the dialog shows; so none of them catches anything. */
function useCalls(
  site: Site,
  onSent: SiteActionDialogProps['onSent'],
  leave: SiteActionDialogProps['leave'],
) {
  const t = useText(siteText);
  const status = useText(siteStatusText);
  const remove = useChange('removeSite', { leave });
  const forceRemove = useChange('removeSiteForced', { leave });
  const update = useChange('updateSiteStatus');
  const resync = useChange('forceSiteSync');
  const refresh = useChange('cleanSiteCache');
  const params = { id: site.id };
  const sent = useStatusSent(onSent);
  return {
    setStatus: async (seen: Site, to: 'offline' | 'suspended', note = '') => {
      const { version } = await update.mutateAsync({
        params,
        body: { version: seen.version, status: to, note },
      });
      sent(seen, version);
    },
    refresh: async () => {
      await refresh.mutateAsync({ params });
      notify.success(t.actions.refreshSent);
    },
    resync: async () => {
      await resync.mutateAsync({ params });
      // The same configuration is sent again: there is no new version that could be undone.
      if (onSent) onSent();
      else notify.success(t.saved.sent);
    },
    remove: async () => {
      await remove.mutateAsync({ params });
      notify.success(status.removeSent);
    },
    forceRemove: async () => {
      await forceRemove.mutateAsync({ params });
      notify.success(t.actions.removed);
    },
  };
}

/** What the site is by now: somebody else has changed it since the question was asked. */
function SiteNews({ site }: { site: Site }) {
  const t = useText(siteText);
  const status = useText(siteStatusText);
  return (
    <Box sx={{ my: 2 }}>
      <NewsNotice
        facts={[
          { label: t.status, value: t.statuses[site.status] },
          { label: status.noteLabel, value: site.status_note },
        ]}
      />
    </Box>
  );
}

/** As the contract has it (`note` of `updateSiteStatus`). */
const noteMax = 500;

function SuspendBody({ text, note, onNote }: { text: string; note: string; onNote: (note: string) => void }) {
  const t = useText(siteStatusText);
  return (
    <>
      {text}
      <TextField
        autoFocus
        multiline
        minRows={2}
        margin="normal"
        label={t.noteLabel}
        helperText={t.noteHint}
        value={note}
        onChange={(event) => onNote(event.target.value)}
        slotProps={{ htmlInput: { maxLength: noteMax } }}
      />
    </>
  );
}
