import type {
  HealthError,
  OriginHealthEventRow,
  OriginHealthRow,
  OriginHealthState,
} from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useMemo } from 'react';
import { useAccount } from '../../../../api/account.ts';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { DataTable, type Column } from '../../../../kit/table/data-table.tsx';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { to } from '../../../../kit/links.ts';
import { SectionHeading } from '../../../../kit/page.tsx';
import { TextLink } from '../../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../../kit/status-chip.tsx';
import { Time } from '../../../../kit/time.tsx';
import { usePaging } from '../../../../kit/table/use-paging.ts';
import { useSite } from '../../context.tsx';
import { siteHealthText } from './health.text.ts';

/** Nodes tell a change at once; how everything stands they tell every 10 seconds. */
const refreshMs = 3000;
/** `returning`: it answers well again and gets no visitors yet, as its waits are not over (docs/health-checks.md). */
const tones: Record<OriginHealthState, Tone> = { up: 'success', down: 'error', returning: 'warning' };

/** How each node finds each origin now, asked again and again while it is looked at. */
export function SiteHealthState({ isOn }: { isOn: boolean }) {
  const t = useText(siteHealthText);
  const { site } = useSite();
  const [paging, onPage] = usePaging('origin-health', 20);
  const health = useApi(
    'listOriginHealth',
    { params: { id: site.id }, query: paging },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const columns = useStateColumns();
  const { nodes_reporting: reporting = 0, nodes_total: total = 0 } = health.data ?? {};
  return (
    <DataTable
      label={t.state}
      id="site-health"
      columns={columns}
      read={health}
      // An origin by name is checked at each of its addresses, by each node.
      rowKey={(row) => `${row.node_id} ${row.address} ${row.ip} ${row.port}`}
      rowName={(row) => `${row.node_name}: ${originName(row)}`}
      onPage={onPage}
      heading={
        <SectionHeading
          title={t.state}
          hint={isOn && total > 0 ? t.stateHint(reporting, total) : undefined}
        />
      }
      empty={<NothingKnown isOn={isOn} hasNodes={total > 0} />}
    />
  );
}

/** Why there are no rows: checks are off, no node serves the site, or none has told anything yet. */
function NothingKnown({ isOn, hasNodes }: { isOn: boolean; hasNodes: boolean }) {
  const t = useText(siteHealthText);
  if (!isOn) return <EmptyState icon="node" title={t.off} hint={t.offHint} />;
  return <EmptyState icon="node" title={hasNodes ? t.unknown : t.noNode} hint={t.unknownHint} />;
}

function useStateColumns(): Column<OriginHealthRow>[] {
  const t = useText(siteHealthText);
  return useMemo(
    () => [
      { id: 'origin', header: t.origin, cell: (row) => <OriginCell row={row} /> },
      { id: 'node', header: t.node, cell: (row) => <NodeCell row={row} /> },
      { id: 'state', header: t.status, cell: (row) => <StateChips row={row} />, whole: true },
      { id: 'since', header: t.since, cell: (row) => <Time at={row.since} relative /> },
      { id: 'checked', header: t.checked, cell: (row) => <Time at={row.checked_at} relative /> },
      { id: 'latency', header: t.latency, align: 'right', cell: (row) => `${row.latency_ms} ms` },
      { id: 'reason', header: t.reason, cell: (row) => <Reason error={row.error} /> },
    ],
    [t],
  );
}

/** When origins went down and came back. */
export function SiteHealthHistory() {
  const t = useText(siteHealthText);
  const { site } = useSite();
  const [paging, onPage] = usePaging('origin-health-history');
  const events = useApi(
    'listOriginHealthEvents',
    { params: { id: site.id }, query: paging },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const columns = useMemo<Column<OriginHealthEventRow>[]>(
    () => [
      { id: 'time', header: t.time, cell: (row) => <Time at={row.at} /> },
      {
        id: 'change',
        header: t.change,
        cell: (row) => <StatusChip tone={tones[row.state]} label={t.changes[row.state]} />,
      },
      { id: 'origin', header: t.origin, cell: (row) => <OriginCell row={row} /> },
      { id: 'node', header: t.node, cell: (row) => <NodeCell row={row} /> },
      { id: 'reason', header: t.reason, cell: (row) => <Reason error={row.error} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t.history}
      id="site-health-history"
      columns={columns}
      read={events}
      rowKey={(row) => row.id}
      rowName={(row) => `${row.node_name}: ${originName(row)}`}
      onPage={onPage}
      heading={<SectionHeading title={t.history} hint={t.historyHint} />}
      empty={<EmptyState icon="clock" title={t.noHistory} hint={t.noHistoryHint} />}
    />
  );
}

interface AtOrigin {
  address: string;
  ip: string;
  port: number;
}

/** As in a URL, where an IPv6 address has brackets (RFC 3986 §3.2.2). */
const originName = ({ address, port }: AtOrigin): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

function OriginCell({ row }: { row: AtOrigin }) {
  return (
    <>
      <span dir="ltr">{originName(row)}</span>
      {/* Of an origin by name, the address that was checked. */}
      {row.ip !== row.address && (
        <Typography variant="caption" component="span" sx={{ ml: 1, color: 'text.secondary' }} dir="ltr">
          {row.ip}
        </Typography>
      )}
    </>
  );
}

function NodeCell({ row }: { row: { node_id: number; node_name: string } }) {
  const { role } = useAccount();
  // Customers have no page of a node.
  if (role !== 'admin') return <>{row.node_name}</>;
  return <TextLink target={to.nodeDetail({ id: row.node_id })}>{row.node_name}</TextLink>;
}

/** A state that is old is no longer told by its colour. */
function StateChips({ row: { state, stale } }: { row: OriginHealthRow }) {
  const t = useText(siteHealthText);
  return (
    <Stack direction="row" sx={{ gap: 0.5 }}>
      <StatusChip
        tone={stale ? 'neutral' : tones[state]}
        label={t.states[state]}
        hint={t.stateHints[state]}
        busy={state === 'returning' && !stale}
      />
      {stale && <StatusChip tone="warning" label={t.stale} hint={t.staleHint} />}
    </Stack>
  );
}

function Reason({ error }: { error: HealthError | null }) {
  const t = useText(siteHealthText);
  if (error === null) return <>–</>;
  return (
    <>
      {t.reasons[error.code]}
      {error.detail !== '' && (
        <Typography variant="caption" component="span" sx={{ ml: 1, color: 'text.secondary' }} dir="ltr">
          {error.detail}
        </Typography>
      )}
    </>
  );
}
