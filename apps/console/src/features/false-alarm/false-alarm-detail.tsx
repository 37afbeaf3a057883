import type { FalseAlarm } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useMay } from '../../api/account.ts';
import { useWafName } from '../../domain/waf.ts';
import { Decision } from '../../frame/log/decision.tsx';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';
import { falseAlarmText } from './false-alarm.text.ts';

/** What was reported, as it was logged then, and what was made of it. */
export function FalseAlarmDetail({ alarm, onClose }: { alarm: FalseAlarm; onClose: () => void }) {
  const t = useText(falseAlarmText);
  const may = useMay();
  const wafName = useWafName();
  const { line, rule, request_id, site_id, outcome, handled_at } = alarm;
  return (
    <InfoDrawer title={`${line.method} ${line.request_uri}`} onClose={onClose}>
      <Stack sx={{ gap: 4 }}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {/* The line may be gone by now: logs are kept for a time, and the report keeps a copy of what it is about. */}
          <LinkButton target={to.accessLogs({ request_id, any_time: 'yes' })} icon="log">
            {t.log}
          </LinkButton>
          {may('explainLoggedRequest') && (
            <LinkButton target={to.siteDetail({ id: site_id }, { tab: 'explain', request_id })} icon="search">
              {t.trace}
            </LinkButton>
          )}
        </Stack>
        <Facts
          columns={4}
          facts={[
            { label: t.decision, value: <Decision decision={line.decision} rule={rule} />, wide: true },
            { label: t.protection, value: wafName(line.waf, alarm.waf_rules), wide: true },
            { label: t.part, value: line.waf_part || '–', wide: true },
            { label: t.time, value: <Time at={line.time} /> },
            { label: t.address, value: line.remote_addr },
            { label: t.agent, value: line.user_agent, wide: true },
            { label: t.note, value: alarm.note || '–', wide: true },
            { label: t.by, value: alarm.reported_by || t.platform },
            { label: t.at, value: <Time at={alarm.created_at} /> },
            { label: t.outcome, value: outcome === null ? t.states.open : t.outcomes[outcome] },
            ...(handled_at === null
              ? []
              : [
                  { label: t.answer, value: alarm.answer || '–', wide: true },
                  { label: t.handledBy, value: alarm.handled_by || t.platform },
                  { label: t.handledAt, value: <Time at={handled_at} /> },
                ]),
          ]}
        />
      </Stack>
    </InfoDrawer>
  );
}
