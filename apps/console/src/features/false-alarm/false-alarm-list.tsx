import { falseAlarmRoutes, falseAlarmStates, type FalseAlarm } from '@breakwater/contract';
import { Suspense, useState } from 'react';
import { useAccount } from '../../api/account.ts';
import { siteChoices } from '../../api/options.ts';
import { judgementOf } from '../../domain/waf.ts';
import { useDenial } from '../../frame/denial.ts';
import { choices, remoteFilter, selectFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { Decision } from '../../frame/log/decision.tsx';
import { useText } from '../../i18n/text.ts';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { falseAlarmText } from './false-alarm.text.ts';

const alarms = listOf('listFalseAlarms', falseAlarmRoutes.listFalseAlarms.query);
export const { firstRead } = alarms;
const FalseAlarmDetail = lazyOverlay(() =>
  import('./false-alarm-detail.tsx').then((part) => part.FalseAlarmDetail),
);
const FalseAlarmAnswer = lazyOverlay(() =>
  import('./false-alarm-answer.tsx').then((part) => part.FalseAlarmAnswer),
);

const useColumns = alarms.columns(falseAlarmText, (t, column) => [
  column.site(t.site),
  { id: 'request', header: t.request, cell: ({ line }) => `${line.method} ${line.request_uri}` },
  {
    id: 'decision',
    header: t.decision,
    cell: (alarm) => <Decision {...judgementOf(alarm.line, alarm)} />,
  },
  column.text('note', t.note),
  {
    id: 'state',
    whole: true,
    header: t.state,
    cell: ({ state, outcome }) => (
      <StatusChip
        tone={state === 'open' ? 'warning' : 'success'}
        label={outcome === null ? t.states.open : t.outcomes[outcome]}
      />
    ),
  },
  { id: 'reported_by', header: t.by, cell: ({ reported_by: by }) => by || t.platform },
  column.time('created_at', t.at, { relative: true }),
]);

/**
 * Requests that somebody says were blocked wrongly, reported from lines of the log; operators handle them (docs/attacks.md).
 */
export function FalseAlarmList() {
  const t = useText(falseAlarmText);
  const denial = useDenial();
  const isOperator = useAccount().role === 'admin';
  const list = alarms.use({ refetchInterval: 30_000 });
  const [shown, setShown] = useState<FalseAlarm | null>(null);
  const [handled, setHandled] = useState<FalseAlarm | null>(null);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <ListTable
        id="false-alarms"
        list={list}
        text={t}
        icon="question"
        add={
          <LinkButton target={to.refusedLogs()} icon="log" variant="contained">
            {t.refusedLog}
          </LinkButton>
        }
        columns={useColumns()}
        filters={[
          selectFilter('state', t.state, choices(falseAlarmStates, t.states)),
          remoteFilter('site_id', t.site, siteChoices),
        ]}
        rowName={({ line }) => `${line.method} ${line.request_uri}`}
        onRowClick={setShown}
        rowActions={(alarm) => [
          isOperator &&
            alarm.state === 'open' && {
              label: t.handle,
              icon: 'check' as const,
              onClick: () => setHandled(alarm),
              disabledReason: denial('handleFalseAlarm'),
            },
        ]}
      />
      <Suspense fallback={null}>
        {shown && <FalseAlarmDetail alarm={shown} onClose={() => setShown(null)} />}
        {handled && <FalseAlarmAnswer alarm={handled} onClose={() => setHandled(null)} />}
      </Suspense>
    </Page>
  );
}
