import {
  rejectScopes,
  siteRejectRoutes,
  siteRejectStates,
  type DeliveryStatus,
  type SiteReject,
  type SiteRejectState,
} from '@breakwater/contract';
import { Typography } from '@mui/material';
import { Suspense, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { siteChoices } from '../../api/options.ts';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useDenial } from '../../frame/denial.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { Decision } from '../../frame/log/decision.tsx';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { useRefusingSections } from '../../domain/decision.ts';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { siteRejectText } from './site-reject.text.ts';

const rejects = listOf('listSiteRejects', siteRejectRoutes.listSiteRejects.query);
export const { firstRead } = rejects;
const BanForm = lazyOverlay(() => import('../../frame/log/ban-form.tsx').then((part) => part.BanForm));
const deliveryTones: Record<DeliveryStatus, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};
/** Red while the visitor is turned away; green when somebody let them in before its end. */
const tones: Record<SiteRejectState, Tone> = { standing: 'error', ended: 'neutral', released: 'success' };

const useColumns = rejects.columns(siteRejectText, (t, column) => [
  {
    id: 'remote_addr',
    header: t.address,
    cell: ({ remote_addr }) => <TextLink target={to.accessLogs({ remote_addr })}>{remote_addr}</TextLink>,
  },
  {
    id: 'site',
    header: t.scope,
    cell: ({ scope, site_id: id, site_name: name, kernel }) =>
      id === null ? (
        `${t.scopes[scope]}${kernel ? ` · ${t.kernel}` : ''}`
      ) : (
        <TextLink target={to.siteDetail({ id })}>{name || `#${id}`}</TextLink>
      ),
  },
  { id: 'decision', header: t.reason, cell: (reject) => <Reason of={reject} /> },
  {
    id: 'state',
    whole: true,
    header: t.state,
    cell: ({ state, released_by }) => (
      <>
        <StatusChip tone={tones[state]} label={t.states[state]} />
        {released_by !== null && (
          <Typography variant="caption" component="span" sx={{ ml: 1, color: 'text.secondary' }}>
            {t.releasedBy(released_by)}
          </Typography>
        )}
      </>
    ),
  },
  {
    id: 'delivery',
    header: t.delivery,
    cell: ({ delivery: { status, nodes_applied: applied, nodes_total: total } }) => (
      <StatusChip
        tone={deliveryTones[status]}
        busy={status === 'pending'}
        label={total > 0 ? `${t.deliveries[status]} ${applied}/${total}` : t.deliveries[status]}
      />
    ),
  },
  column.time('created_at', t.since, { relative: true }),
  {
    id: 'until',
    header: t.until,
    cell: ({ released_at, expires_at }) => <Time at={released_at ?? expires_at} relative />,
  },
]);

/** The rule, with a way to the request that met it; or who did it by hand, and what they wrote. */
function Reason({ of: { decision, rule, reason, created_by, repeats, request_id } }: { of: SiteReject }) {
  const t = useText(siteRejectText);
  if (created_by !== null) {
    const byHand = t.byHand(created_by);
    return <>{reason === '' ? byHand : `${reason} · ${byHand}`}</>;
  }
  return (
    <>
      <Decision decision={decision} rule={rule} />
      {repeats > 0 && ` · ${t.repeats(repeats)}`}
      {/* Somebody banned by hand what a rule had banned already. */}
      {reason !== '' && ` · ${reason}`}
      {request_id !== null && (
        <>
          {' '}
          <TextLink target={to.refusedLogs({ request_id })}>{request_id.slice(0, 8)}</TextLink>
        </>
      )}
    </>
  );
}

/** Addresses that are turned away for a time (bans), by rules or by hand (docs/bans.md). */
export function SiteRejectList() {
  const t = useText(siteRejectText);
  const denial = useDenial();
  const pending = ({ delivery }: SiteReject) => delivery.status === 'pending';
  // Deliveries take seconds; bans end and come by themselves, though not as fast.
  const list = rejects.use({ refetchInterval: (last) => (last?.list.some(pending) ? 1000 : 10_000) });
  const [adding, setAdding] = useState(false);
  const [releasing, setReleasing] = useState<{ site_id?: number } | null>(null);
  const release = useRowDialog<SiteReject>({
    route: 'releaseSiteRejects',
    label: t.release,
    icon: 'sign-out',
    render: ({ id }, close) => <Release id={id} onClose={close} />,
  });
  const { site_id: siteId } = list.search;
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <ActionButton
            icon="sign-out"
            variant="outlined"
            color="inherit"
            onClick={() => setReleasing(siteId ? { site_id: siteId } : {})}
            disabledReason={list.read.data?.total === 0 ? t.empty : denial('releaseAllSiteRejects')}
          >
            {t.releaseAll}
          </ActionButton>
          <ActionButton
            icon="add"
            variant="contained"
            onClick={() => setAdding(true)}
            disabledReason={denial('createSiteRejects')}
          >
            {t.add}
          </ActionButton>
        </>
      }
    >
      <ListTable
        id="site-rejects"
        list={list}
        text={t}
        icon="ban"
        add={
          <LinkButton target={to.refusedLogs()} icon="log" variant="contained">
            {t.refusedLog}
          </LinkButton>
        }
        columns={useColumns()}
        filters={[
          textFilter('remote_addr', t.address),
          remoteFilter('site_id', t.site, siteChoices),
          selectFilter('scope', t.scope, choices(rejectScopes, t.scopes)),
          selectFilter('state', t.state, choices(siteRejectStates, t.states)),
          selectFilter('decision', t.reason, useRefusingSections(), { folded: true }),
        ]}
        rowName={(reject) => reject.remote_addr}
        rowActions={(reject) => [reject.state === 'standing' && release.action(reject)]}
      />
      {release.dialog}
      <Suspense fallback={null}>
        {adding && <BanForm of={siteId ? { site_id: siteId } : {}} onClose={() => setAdding(false)} />}
      </Suspense>
      {releasing && <ReleaseAll of={releasing} onClose={() => setReleasing(null)} />}
    </Page>
  );
}

/** Lets one address in again, at every node. */
function Release({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(siteRejectText);
  const { mutateAsync } = useChange('releaseSiteRejects');
  return (
    <Confirm
      title={t.releaseTitle}
      body={t.releaseBody(1)}
      action={t.release}
      onConfirm={async () => {
        const { released } = await mutateAsync({ body: { ids: [id] } });
        notify.success(t.released(released));
      }}
      onClose={onClose}
    />
  );
}

/** Lets in all that stand, of one site or of all: as many as are said here, and no more. */
function ReleaseAll({ of, onClose }: { of: { site_id?: number }; onClose: () => void }) {
  const t = useText(siteRejectText);
  const kit = useText(kitText);
  const standing = useApi('listSiteRejects', { query: { ...of, state: 'standing', page_size: 1 } });
  const release = useChange('releaseAllSiteRejects');
  const total = standing.data?.total;
  return (
    <Confirm
      title={t.releaseAllTitle}
      body={
        <Typography role="status">
          {total === undefined ? kit.loading : (of.site_id ? t.releaseAllOfSite : t.releaseAllBody)(total)}
        </Typography>
      }
      action={t.releaseAll}
      onConfirm={async () => {
        // The dialog shows why: without the number nobody knows what would be let in.
        if (total === undefined) throw new Error(standing.error?.message ?? kit.loading);
        try {
          const { released } = await release.mutateAsync({ body: { ...of, expected_total: total } });
          notify.success(t.released(released));
        } finally {
          // Refused because there were more or fewer by then, it is asked again with the new number.
          void standing.refetch();
        }
      }}
      onClose={onClose}
    />
  );
}
