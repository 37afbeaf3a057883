import type { AttackKind, AttackOutcome, SitePosture } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useAttackTrend } from '../../../api/monitor.ts';
import { useAttackKindName } from '../../../domain/decision.ts';
import { useText } from '../../../i18n/text.ts';
import { formatCount } from '../../../kit/format.ts';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { roundedNow, timeRange } from '../../../kit/time-range.ts';
import { useNow } from '../../../kit/use-now.ts';
import { useSite } from '../context.tsx';
import { sitePostureText } from './posture.text.ts';

/** What came in the last days, and what of it strict detection would have blocked besides. */
export function PostureAttacks({ posture }: { posture: SitePosture }) {
  const t = useText(sitePostureText);
  const { site } = useSite();
  const [now] = useNow(60_000);
  const range = timeRange('last_7_days', roundedNow(now));
  const asked = { range, scope: { site_id: site.id }, askedAt: now };
  // Two reads: what was blocked, and what was only logged.
  const refused = useAttackTrend({ ...asked, outcome: 'refused' });
  const observed = useAttackTrend({ ...asked, outcome: 'observed' });
  const error = refused.error ?? observed.error;
  return (
    <Section title={t.attacks} hint={t.attacksHint}>
      {error ? (
        <Alert severity="error">{error.message}</Alert>
      ) : (
        <Stack sx={{ gap: 2 }}>
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } }}>
            <Kinds outcome="refused" data={refused.data} range={range} />
            <Kinds outcome="observed" data={observed.data} range={range} />
          </Box>
          {observed.data && <Strict posture={posture} observed={observed.data} />}
        </Stack>
      )}
    </Section>
  );
}

type Trend = NonNullable<ReturnType<typeof useAttackTrend>['data']>;

interface KindsProps {
  outcome: AttackOutcome;
  data: Trend | undefined;
  range: { start_time: string; end_time: string };
}

function Kinds({ outcome, data, range }: KindsProps) {
  const t = useText(sitePostureText);
  const kindName = useAttackKindName();
  const { site } = useSite();
  // Keeps its place, so that what is below does not move when it comes.
  if (data === undefined) return <Box sx={{ minHeight: 80 }} />;
  const search = { ...range, site_id: site.id };
  // The lines that were counted, of the same time.
  const logs =
    outcome === 'refused'
      ? to.refusedLogs(search)
      : to.accessLogs({ ...search, waf: 'observe', refused: 'no' });
  return (
    <section aria-label={t[outcome]}>
      <Typography variant="subtitle2" component="h3" sx={{ display: 'flex', gap: 1 }}>
        <span>{t[outcome]}</span>
        <TextLink target={logs}>{formatCount(data.requests)}</TextLink>
      </Typography>
      {data.kinds.length === 0 ? (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
          {t.noAttacks}
        </Typography>
      ) : (
        <Stack component="ul" sx={{ listStyle: 'none', m: 0, mt: 1, p: 0, gap: 0.5 }}>
          {data.kinds.map(({ kind, requests }) => (
            <Typography
              key={kind}
              component="li"
              variant="body2"
              sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}
            >
              <span>{kindName(kind)}</span>
              <span>{formatCount(requests)}</span>
            </Typography>
          ))}
        </Stack>
      )}
    </section>
  );
}

/** All that detection logs, strict mode blocks: so what was observed is what it would have blocked besides. */
function Strict({ posture, observed }: { posture: SitePosture; observed: Trend }) {
  const t = useText(sitePostureText);
  const isDetection = (kind: AttackKind) => kind.startsWith('used_system_rule ');
  const ofKinds = observed.kinds
    .filter(({ kind }) => isDetection(kind))
    .reduce((sum, { requests }) => sum + requests, 0);
  // A request of several kinds is counted in each.
  const found = Math.min(ofKinds, observed.requests);
  if (found === 0 && posture.used_system_rule.state === 'off')
    return <Alert severity="info">{t.strictOff}</Alert>;
  return (
    <Alert severity={found > 0 ? 'warning' : 'info'}>
      {(found > 0 ? t.strict(formatCount(found)) : t.strictNone) + t.strictPart}
    </Alert>
  );
}
