import {
  blacklistHitStates,
  domainNameBlacklistRoutes,
  type BlacklistHit,
  type BlacklistHitState,
} from '@breakwater/contract';
import { Box, TextField } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { siteChoices } from '../../api/options.ts';
import { NewsNotice, useAsSeen } from '../../frame/as-seen.tsx';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import type { Tone } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { blacklistHitText } from './domain-name-blacklist.text.ts';

const hits = listOf('listBlacklistHits', domainNameBlacklistRoutes.listBlacklistHits.query);
export const { firstRead } = hits;
const tones: Record<BlacklistHitState, Tone> = { open: 'warning', ignored: 'neutral', suspended: 'error' };

const useColumns = hits.columns(blacklistHitText, (t, column) => [
  column.name(t.domain, (hit) => hit.domain),
  column.site(t.site),
  column.owner(t.client),
  column.text('entry', t.entry),
  column.status(t.state, ({ state }) => ({ tone: tones[state], label: t.states[state] })),
  column.text('decided_by', t.decidedBy),
  column.text('note', t.note),
  column.time('created_at', t.found, { relative: true }),
]);

/** One dialog for each of the three decisions. */
const useDeciding = (state: BlacklistHitState, label: string, icon: 'hide' | 'refresh' | 'danger') =>
  useRowDialog<BlacklistHit>({
    route: 'decideBlacklistHit',
    label,
    icon,
    destructive: state === 'suspended',
    render: (hit, close) => <Decide hit={hit} state={state} onClose={close} />,
  });

/**
 * Domains of sites that were there before an entry of the blacklist named them: for an operator to decide about, one by one.
 */
export function BlacklistHits() {
  const t = useText(blacklistHitText);
  const suspend = useDeciding('suspended', t.suspend, 'danger');
  const ignore = useDeciding('ignored', t.ignore, 'hide');
  const reopen = useDeciding('open', t.reopen, 'refresh');
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.domainNameBlacklist()} icon="domain-ban" variant="outlined" color="inherit">
          {t.list}
        </LinkButton>
      }
    >
      <ListTable
        id="blacklist-hits"
        list={hits.use({ refetchInterval: 30_000 })}
        text={t}
        icon="domain-found"
        columns={useColumns()}
        filters={[
          textFilter('domain', t.domain),
          remoteFilter('site_id', t.site, siteChoices),
          selectFilter('state', t.state, choices(blacklistHitStates, t.states)),
        ]}
        rowName={(hit) => hit.domain}
        rowActions={(hit) => [
          hit.state !== 'suspended' && suspend.action(hit),
          hit.state === 'open' && ignore.action(hit),
          hit.state !== 'open' && reopen.action(hit),
        ]}
      />
      {suspend.dialog}
      {ignore.dialog}
      {reopen.dialog}
    </Page>
  );
}

interface Deciding {
  hit: BlacklistHit;
  state: BlacklistHitState;
  onClose: () => void;
}

/** Suspending takes the whole site offline, so its name is typed first. */
function Decide({ hit, state, onClose }: Deciding) {
  const t = useText(blacklistHitText);
  const { mutateAsync } = useChange('decideBlacklistHit');
  const { seen, asSeen, isNews } = useAsSeen('listBlacklistHits', hit);
  const { domain, site_name: siteName } = seen;
  const [note, setNote] = useState('');
  const words = {
    suspended: { title: t.suspendTitle, body: t.suspendBody(domain), action: t.suspend },
    ignored: { title: t.ignoreTitle, body: t.ignoreBody(domain), action: t.ignore },
    open: { title: t.reopenTitle, body: t.reopenBody, action: t.reopen },
  }[state];
  return (
    <Confirm
      title={words.title}
      body={
        <>
          {words.body}
          {isNews && (
            <Box sx={{ mt: 2 }}>
              <NewsNotice
                facts={[
                  { label: t.state, value: t.states[seen.state] },
                  { label: t.decidedBy, value: seen.decided_by },
                  { label: t.note, value: seen.note },
                ]}
              />
            </Box>
          )}
          {state === 'suspended' && (
            <TextField
              fullWidth
              multiline
              label={t.note}
              helperText={t.noteHint}
              value={note}
              onChange={(event) => setNote(event.target.value)}
              slotProps={{ htmlInput: { maxLength: 500 } }}
              sx={{ mt: 2 }}
            />
          )}
        </>
      }
      action={words.action}
      typed={state === 'suspended' ? siteName || domain : undefined}
      destructive={state === 'suspended'}
      onConfirm={() =>
        asSeen(async ({ id, version }) => {
          await mutateAsync({ params: { id }, body: { version, state, note } });
          notify.success(t.done);
        })
      }
      onClose={onClose}
    />
  );
}
