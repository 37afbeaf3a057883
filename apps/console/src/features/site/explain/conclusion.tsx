import type { ExplainAnswer, RequestTrace } from '@breakwater/contract';
import { Alert, Box, Typography } from '@mui/material';
import { useDecisionName } from '../../../domain/decision.ts';
import { useLanguage } from '../../../i18n/language.ts';
import { useText } from '../../../i18n/text.ts';
import { formatDateTime } from '../../../kit/format.ts';
import { siteExplainText } from './explain.text.ts';
import { cacheVerdict, isOtherNow, loggedVerdict, stopOf } from './verdict.ts';
import { verdictText } from './verdict.text.ts';

interface ConclusionProps {
  trace: RequestTrace;
  logged: ExplainAnswer['logged'];
}

/** What becomes of the request, and why it is cached or not; of one of the log also what was then. */
export function Conclusion({ trace, logged }: ConclusionProps) {
  const t = useText(verdictText);
  const language = useLanguage();
  if (!logged) return <Now trace={trace} />;
  return (
    <>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' } }}>
        <Box component="section" aria-label={t.thenTitle('')}>
          <Typography component="h3" variant="subtitle2" sx={{ mb: 0.5 }}>
            {t.thenTitle(formatDateTime(logged.time, language) ?? '')}
          </Typography>
          <Then logged={logged} />
        </Box>
        <Box component="section" aria-label={t.nowTitle}>
          <Typography component="h3" variant="subtitle2" sx={{ mb: 0.5 }}>
            {t.nowTitle}
          </Typography>
          <Now trace={trace} />
        </Box>
      </Box>
      {isOtherNow(trace, logged) && <Alert severity="warning">{t.changed}</Alert>}
    </>
  );
}

function Now({ trace }: { trace: RequestTrace }) {
  const t = useText(siteExplainText);
  const { now } = useText(verdictText);
  const end = stopOf(trace);
  return (
    <Alert severity={end ? 'warning' : 'info'} role="status">
      {end
        ? `${t.stopped(t.steps[end.step])} ${end.reason ? t.reasons[end.reason] : ''}`
        : now[cacheVerdict(trace)]}
    </Alert>
  );
}

function Then({ logged }: { logged: NonNullable<ExplainAnswer['logged']> }) {
  const t = useText(verdictText);
  const decisionName = useDecisionName();
  const { decision, rule, status } = logged;
  const verdict = loggedVerdict(logged);
  const why =
    decision !== '' ? decisionName(decision, rule) : verdict === undefined ? t.notWritten : t.was[verdict];
  return (
    <Alert severity={decision === '' ? 'info' : 'warning'}>
      {t.answered(status)} {why}
    </Alert>
  );
}
