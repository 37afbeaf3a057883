import {
  siteViolationRoutes,
  violationActions,
  violationSources,
  violationStates,
  type SiteViolation,
  type ViolationState,
} from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { siteChoices } from '../../api/options.ts';
import { choices, rangeFilter, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { siteViolationText } from './site-violation.text.ts';
import { AppealDialog, DecideDialog, VisitDialog } from './violation-dialogs.tsx';
import { EvidenceDialog } from './violation-evidence.tsx';

const violations = listOf('listSiteViolations', siteViolationRoutes.listSiteViolations.query);
export const { firstRead } = violations;
/** Yellow waits for an operator; red is confirmed as a violation. */
const tones: Record<ViolationState, Tone> = { open: 'warning', confirmed: 'error', dismissed: 'neutral' };

const useColumns = violations.columns(siteViolationText, (t, column) => [
  column.time('created_at', t.time),
  {
    id: 'page',
    header: t.page,
    cell: ({ host, request_uri }) => `${host}${request_uri}`,
  },
  { id: 'source', header: t.source, cell: ({ source }) => t.sources[source] },
  {
    ...column.status(t.state, ({ state }) => ({ tone: tones[state], label: t.states[state] })),
    id: 'state',
  },
  {
    id: 'status',
    header: t.action,
    // What was sent to a page takes none offline.
    cell: ({ action, source }) =>
      source === 'submitted' ? (
        '–'
      ) : (
        <StatusChip tone={action === 'blocked' ? 'error' : 'neutral'} label={t.actions[action]} />
      ),
    whole: true,
  },
  { id: 'category', header: t.category, cell: ({ category, kind }) => category || t.kinds[kind] },
  column.text('word', t.word),
  column.text('appeal', t.appeal),
  column.text('excerpt', t.excerpt),
  column.site(t.site),
]);

/** What whoever is signed in may do about a violation. */
function useRowActions() {
  const t = useText(siteViolationText);
  const { role } = useAccount();
  const evidence = useRowDialog<SiteViolation>({
    route: 'listSiteViolations',
    label: t.evidence,
    icon: 'info',
    render: (violation, close) => <EvidenceDialog violation={violation} onClose={close} />,
  });
  const decide = useRowDialog<SiteViolation>({
    route: 'decideSiteViolation',
    label: t.decide,
    icon: 'check',
    render: (violation, close) => <DecideDialog violation={violation} onClose={close} />,
  });
  const appeal = useRowDialog<SiteViolation>({
    route: 'appealSiteViolation',
    label: t.appeal,
    icon: 'edit',
    render: (violation, close) => <AppealDialog violation={violation} onClose={close} />,
  });
  const visit = useRowDialog<SiteViolation>({
    route: 'visitSite',
    label: t.visit,
    icon: 'refresh',
    render: (violation, close) => <VisitDialog violation={violation} onClose={close} />,
  });
  const isAdmin = role === 'admin';
  return {
    actions: (violation: SiteViolation) => [
      evidence.action(violation),
      // A decision can be changed, whatever was decided before.
      isAdmin && decide.action(violation),
      isAdmin && visit.action(violation),
      // There is nothing to object to in what an operator found to be no violation.
      !isAdmin && violation.state !== 'dismissed' && appeal.action(violation),
    ],
    dialogs: (
      <>
        {evidence.dialog}
        {decide.dialog}
        {appeal.dialog}
        {visit.dialog}
      </>
    ),
  };
}

/**
 * Forbidden content that was found in what sites deliver, or in what visitors send to them (docs/violations.md).
 * Operators decide, customers can object.
 */
export function SiteViolationList() {
  const t = useText(siteViolationText);
  const { role } = useAccount();
  const rowActions = useRowActions();
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.violationStats()} icon="chart" variant="outlined" color="inherit">
          {t.stats}
        </LinkButton>
      }
    >
      <ListTable
        id="site-violations"
        list={violations.use({ refetchInterval: 30_000 })}
        text={role === 'admin' ? t : { ...t, emptyHint: t.emptyHintOwn }}
        icon="violation-log"
        columns={useColumns()}
        filters={[
          rangeFilter({ start: 'start_time', end: 'end_time' }, t.time),
          textFilter('word', t.word),
          remoteFilter('site_id', t.site, siteChoices),
          selectFilter('state', t.state, choices(violationStates, t.states)),
          textFilter('host', t.host, { folded: true }),
          textFilter('category', t.category, { folded: true }),
          selectFilter('source', t.source, choices(violationSources, t.sources), { folded: true }),
          selectFilter('action', t.action, choices(violationActions, t.actions), { folded: true }),
          selectFilter('appealed', t.appeal, [{ value: 'yes', label: t.appealed }], { folded: true }),
        ]}
        rowName={({ host, request_uri: uri }) => `${host}${uri}`}
        rowActions={rowActions.actions}
      />
      {rowActions.dialogs}
    </Page>
  );
}
