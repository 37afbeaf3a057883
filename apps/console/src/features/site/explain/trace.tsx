import type { ExplainAnswer, RequestStep, RequestTrace, StepFactName, TraceStep } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useText } from '../../../i18n/text.ts';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { siteExplainText } from './explain.text.ts';
import { siteExplainValueText } from './value.text.ts';

const tones: Record<TraceStep['outcome'], Tone> = {
  off: 'neutral',
  passed: 'success',
  changed: 'info',
  stopped: 'error',
  unreached: 'neutral',
};

/** The node's word and the stored configuration's, step by step; once where they agree. */
export function Traces({ answer }: { answer: ExplainAnswer }) {
  const t = useText(siteExplainText);
  const { node, node_trace: ofNode, model_trace: ofModel, differing, causes, node_problem: problem } = answer;
  const main = ofNode ?? ofModel;
  return (
    <Stack sx={{ gap: 2 }}>
      <Conclusion trace={main} />
      {problem && <Alert severity="warning">{t.problems[problem]}</Alert>}
      {ofNode && (
        <Alert severity={differing.length > 0 ? 'warning' : 'success'}>
          {differing.length > 0 ? t.differ(differing.length) : t.same}
          {causes.map((cause) => ` ${t.causes[cause]}`)}
        </Alert>
      )}
      {answer.logged && (
        <Alert severity="info">{t.really(answer.logged.status, answer.logged.cache_status)}</Alert>
      )}
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {`${answer.request.method} ${answer.request.scheme}://${answer.request.host}${answer.request.target}`}
      </Typography>
      <Stack component="ol" aria-label={t.title} sx={{ listStyle: 'none', p: 0, m: 0 }}>
        {main.steps.map((step) => (
          <Step
            key={step.step}
            step={step}
            other={differing.includes(step.step) ? stepOf(ofModel, step.step) : undefined}
            nodeName={node?.name ?? ''}
          />
        ))}
      </Stack>
    </Stack>
  );
}

const stepOf = ({ steps }: RequestTrace, name: RequestStep) => steps.find(({ step }) => step === name);

function Conclusion({ trace }: { trace: RequestTrace }) {
  const t = useText(siteExplainText);
  const end = trace.steps.find(({ outcome }) => outcome === 'stopped');
  return (
    <Alert severity={end ? 'warning' : 'info'} role="status">
      {end ? t.stopped(t.steps[end.step]) : t.through} {end?.reason && t.reasons[end.reason]}
    </Alert>
  );
}

interface StepProps {
  step: TraceStep;
  /** What the stored configuration says, where that is something else. */
  other: TraceStep | undefined;
  nodeName: string;
}

function Step({ step, other, nodeName }: StepProps) {
  const t = useText(siteExplainText);
  const isQuiet = (step.outcome === 'off' || step.outcome === 'unreached') && other === undefined;
  return (
    <Box
      component="li"
      sx={{
        py: isQuiet ? 0.75 : 1.5,
        pl: 2,
        borderLeft: 3,
        borderColor: step.outcome === 'stopped' ? 'error.main' : other ? 'warning.main' : 'divider',
      }}
    >
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography
          variant={isQuiet ? 'body2' : 'subtitle2'}
          component="h3"
          sx={isQuiet ? { color: 'text.secondary' } : {}}
        >
          {t.steps[step.step]}
        </Typography>
        <StatusChip tone={tones[step.outcome]} label={t.outcomes[step.outcome]} />
        {other && <StatusChip tone="warning" label={t.differs} />}
      </Stack>
      {other === undefined ? (
        <Saying step={step} />
      ) : (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, mt: 1 }}>
          <Side title={t.nodeTrace(nodeName)} step={step} />
          <Side title={t.modelTrace} step={other} />
        </Box>
      )}
    </Box>
  );
}

function Side({ title, step }: { title: string; step: TraceStep }) {
  const t = useText(siteExplainText);
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 600 }}>
        {title}: {t.outcomes[step.outcome]}
      </Typography>
      <Saying step={step} />
    </Box>
  );
}

function Saying({ step }: { step: TraceStep }) {
  const t = useText(siteExplainText);
  const words = useText(siteExplainValueText);
  const { reason, level, facts } = step;
  return (
    <>
      {reason && (
        <Typography variant="body2" sx={{ mt: 0.5 }}>
          {t.reasons[reason]}
          {level && level !== 'default' && (
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {` · ${t.from(t.levels[level])}`}
            </Box>
          )}
        </Typography>
      )}
      {facts.length > 0 && (
        <Box
          component="ul"
          sx={{ listStyle: 'none', p: 0, m: 0, mt: 0.5, display: 'flex', flexWrap: 'wrap', columnGap: 3 }}
        >
          {facts.map(({ name, value }, index) => (
            <Typography
              key={index}
              component="li"
              variant="body2"
              sx={{ minWidth: 0, overflowWrap: 'anywhere', color: 'text.secondary' }}
            >
              {t.facts[name]}:{' '}
              <Box component="span" sx={{ color: 'text.primary' }}>
                {valueText(words, name, value)}
              </Box>
            </Typography>
          ))}
        </Box>
      )}
    </>
  );
}

/** What nodes say in a word of their own, in the reader's. */
function valueText(t: typeof siteExplainValueText.en, name: StepFactName, value: string): string {
  if (name === 'stored') return t.stored[value as keyof typeof t.stored];
  if (name !== 'limit' && name !== 'used') return value;
  const [limit = '', ...figures] = value.split(' ');
  return [t.limits[limit] ?? limit, ...figures].join(' ');
}
