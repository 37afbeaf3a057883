import type { GuardPlaceRow, GuardStepRow } from '@breakwater/contract';
import { useMemo } from 'react';
import { useAccount } from '../../../../api/account.ts';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { to } from '../../../../kit/links.ts';
import { SectionHeading } from '../../../../kit/page.tsx';
import { TextLink } from '../../../../kit/router-link.tsx';
import { StatusChip } from '../../../../kit/status-chip.tsx';
import { DataTable, type Column } from '../../../../kit/table/data-table.tsx';
import { usePaging } from '../../../../kit/table/use-paging.ts';
import { Time } from '../../../../kit/time.tsx';
import { useSite } from '../../context.tsx';
import { siteGuardText } from './guard.text.ts';

/** Nodes tell a step within a second; who looks here is often in the middle of an attack. */
const refreshMs = 3000;

/** Where the site is under attack now, asked again and again while it is looked at. */
export function GuardState() {
  const t = useText(siteGuardText);
  const { site } = useSite();
  const [paging, onPage] = usePaging('guard-places');
  const guard = useApi(
    'listSiteGuardPlaces',
    { params: { id: site.id }, query: paging },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const columns = useMemo<Column<GuardPlaceRow>[]>(
    () => [
      { id: 'place', header: t.place, cell: (row) => <Place path={row.path} /> },
      { id: 'level', header: t.level, cell: (row) => <Level level={row.level} /> },
      { id: 'reason', header: t.reason, cell: (row) => t.because[row.reason](row.value, row.limit) },
      { id: 'since', header: t.since, cell: (row) => <Time at={row.since} relative /> },
      { id: 'node', header: t.node, cell: (row) => <Node row={row} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t.now}
      id="site-guard"
      columns={columns}
      read={guard}
      // Each node judges by itself: the same URL may be under attack at several.
      rowKey={(row) => `${row.node_id} ${row.path}`}
      rowName={(row) => row.path || t.wholeSite}
      onPage={onPage}
      heading={<SectionHeading title={t.now} hint={t.nowHint} />}
      empty={<EmptyState icon="privacy" title={t.calm} hint={t.calmHint} />}
    />
  );
}

/** When it stepped up and down, and why. */
export function GuardHistory() {
  const t = useText(siteGuardText);
  const { site } = useSite();
  const [paging, onPage] = usePaging('guard-steps');
  const steps = useApi(
    'listSiteGuardSteps',
    { params: { id: site.id }, query: paging },
    { keepPrevious: true, refetchInterval: refreshMs },
  );
  const columns = useMemo<Column<GuardStepRow>[]>(
    () => [
      { id: 'time', header: t.time, cell: (row) => <Time at={row.at} /> },
      { id: 'place', header: t.place, cell: (row) => <Place path={row.path} /> },
      { id: 'change', header: t.change, cell: (row) => <Level level={row.level} /> },
      { id: 'reason', header: t.reason, cell: (row) => t.because[row.reason](row.value, row.limit) },
      { id: 'node', header: t.node, cell: (row) => <Node row={row} /> },
    ],
    [t],
  );
  return (
    <DataTable
      label={t.steps}
      id="site-guard-steps"
      columns={columns}
      read={steps}
      rowKey={(row) => row.id}
      rowName={(row) => row.path || t.wholeSite}
      onPage={onPage}
      heading={<SectionHeading title={t.steps} hint={t.stepsHint} />}
      empty={<EmptyState icon="clock" title={t.noSteps} hint={t.noStepsHint} />}
    />
  );
}

function Place({ path }: { path: string }) {
  const t = useText(siteGuardText);
  // A path is read from the left also where the page is not.
  return path === '' ? <>{t.wholeSite}</> : <span dir="ltr">{path}</span>;
}

function Level({ level }: { level: number }) {
  const t = useText(siteGuardText);
  const tone = level === 0 ? 'success' : level === 1 ? 'warning' : 'error';
  return <StatusChip tone={tone} label={t.levels[String(level)] ?? String(level)} />;
}

function Node({ row }: { row: { node_id: number; node_name: string } }) {
  const { role } = useAccount();
  // Customers have no page of a node.
  if (role !== 'admin') return <>{row.node_name}</>;
  return <TextLink target={to.nodeDetail({ id: row.node_id })}>{row.node_name}</TextLink>;
}
