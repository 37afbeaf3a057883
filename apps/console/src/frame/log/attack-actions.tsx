import type { AccessLogRow } from '@breakwater/contract';
import { Suspense, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { ruleTarget, useDecisionName } from '../../domain/decision.ts';
import { allowOf, attackOf, networkOf } from '../../domain/logged-attack.ts';
import { judgementOf } from '../../domain/waf.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { lazyOverlay } from '../../kit/lazy-overlay.ts';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { useDenial } from '../denial.ts';
import { reportText } from './false-alarm.text.ts';
import { logText } from './log.text.ts';

const BanForm = lazyOverlay(() => import('./ban-form.tsx').then((part) => part.BanForm));
const FalseAlarmForm = lazyOverlay(() =>
  import('./false-alarm-form.tsx').then((part) => part.FalseAlarmForm),
);

/** What can be done about a request that protection had to do with: it is let through, its sender banned, or it is reported. */
export function AttackActions({ log }: { log: AccessLogRow }) {
  const t = useText(reportText);
  const denial = useDenial();
  const decisionName = useDecisionName();
  const [open, setOpen] = useState<'ban' | 'report' | null>(null);
  const close = () => setOpen(null);
  const judged = judgementOf(log, log);
  if (judged.decision === '' || log.site_id === 0) return null;
  return (
    <>
      <ExceptionLink log={log} />
      <RuleLinks log={log} />
      <ActionButton icon="ban" onClick={() => setOpen('ban')} disabledReason={denial('createSiteRejects')}>
        {t.ban}
      </ActionButton>
      <ActionButton
        icon="question"
        onClick={() => setOpen('report')}
        disabledReason={denial('reportFalseAlarm')}
      >
        {t.report}
      </ActionButton>
      <Suspense fallback={null}>
        {open === 'ban' && (
          <BanForm
            of={{
              site_id: log.site_id,
              remote_addrs: [log.remote_addr],
              reason: decisionName(judged.decision, judged.rule).slice(0, 200),
            }}
            network={networkOf(log.remote_addr)}
            onClose={close}
          />
        )}
        {open === 'report' && <FalseAlarmForm log={log} onClose={close} />}
      </Suspense>
    </>
  );
}

/** To the settings of the site, with an exception filled in that lets such requests pass. */
function ExceptionLink({ log }: { log: AccessLogRow }) {
  const t = useText(logText);
  const may = useMay();
  const attack = attackOf(log);
  if (attack === undefined || !may('updateUsedSystemRule')) return null;
  const { detector, path, parameter } = attack;
  const search = { tab: 'system-rules', except: detector, except_path: path, except_parameter: parameter };
  return (
    <LinkButton target={to.siteDetail({ id: log.site_id }, search)} icon="add">
      {t.makeException}
    </LinkButton>
  );
}

/** To the rule that refused it; and where that is one of the site's own rules, to one before it that lets such requests in. */
function RuleLinks({ log }: { log: AccessLogRow }) {
  const t = useText(reportText);
  const may = useMay();
  const rule = ruleTarget(log.rule, useAccount().role === 'admin');
  const allow = allowOf(log);
  return (
    <>
      {rule && (
        <LinkButton target={rule} icon="open">
          {t.openRule}
        </LinkButton>
      )}
      {allow && may('updateMatcherRule') && (
        <LinkButton target={to.siteDetail({ id: log.site_id }, { tab: 'matchers', ...allow })} icon="add">
          {t.allow}
        </LinkButton>
      )}
    </>
  );
}
