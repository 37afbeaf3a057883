import type { ExplainAnswer, RequestStep, RequestTrace, TraceStep } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { kitText } from '../../../kit/kit.text.ts';
import { useText } from '../../../i18n/text.ts';
import { LinkIconButton } from '../../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { siteExplainText } from './explain.text.ts';
import { useSite } from '../context.tsx';
import { Conclusion } from './conclusion.tsx';
import { namedRules, useFactText } from './fact-text.ts';
import { targetOf } from './places.ts';
import { verdictText } from './verdict.text.ts';

/** Red only where the request ended; a step that is off, or was not reached, says nothing about it. */
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
  const verdict = useText(verdictText);
  // What a node did counts; the stored configuration says what it would do, where no node could be asked.
  const main = ofNode ?? ofModel;
  const otherOf = (step: RequestStep) => (differing.includes(step) ? stepOf(ofModel, step) : undefined);
  // A step in which node and configuration disagree is worth its place, however little it did.
  const isLoud = (step: TraceStep) => !isQuiet(step) || otherOf(step.step) !== undefined;
  const quiet = main.steps.filter((step) => !isLoud(step));
  return (
    <Stack sx={{ gap: 2 }}>
      <Conclusion trace={main} logged={answer.logged} />
      {problem && <Alert severity="warning">{t.problems[problem]}</Alert>}
      {ofNode && (
        <Alert severity={differing.length > 0 ? 'warning' : 'success'}>
          {differing.length > 0 ? t.differ(differing.length) : t.same}
          {causes.map((cause) => ` ${t.causes[cause]}`)}
        </Alert>
      )}
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {`${answer.request.method} ${answer.request.scheme}://${answer.request.host}${answer.request.target}`}
      </Typography>
      <Steps
        label={t.title}
        steps={main.steps.filter(isLoud)}
        otherOf={otherOf}
        nodeName={node?.name ?? ''}
      />
      {quiet.length > 0 && (
        <Box component="details" sx={{ '& summary': { cursor: 'pointer', py: 0.5 } }}>
          <Typography component="summary" variant="body2" sx={{ color: 'text.secondary' }}>
            {verdict.quiet(quiet.length)}
          </Typography>
          <Steps
            label={verdict.quiet(quiet.length)}
            steps={quiet}
            otherOf={otherOf}
            nodeName={node?.name ?? ''}
          />
        </Box>
      )}
    </Stack>
  );
}

const stepOf = ({ steps }: RequestTrace, name: RequestStep) => steps.find(({ step }) => step === name);

/** It changed nothing about this request, nor ended it; what the cache says is always told. */
const isQuiet = ({ step, outcome }: TraceStep): boolean =>
  outcome === 'off' || outcome === 'unreached' || (outcome === 'passed' && step !== 'cache');

interface StepsProps {
  label: string;
  steps: readonly TraceStep[];
  otherOf: (step: RequestStep) => TraceStep | undefined;
  nodeName: string;
}

function Steps({ label, steps, otherOf, nodeName }: StepsProps) {
  return (
    <Stack component="ol" aria-label={label} sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {steps.map((step) => (
        <Step key={step.step} step={step} other={otherOf(step.step)} nodeName={nodeName} />
      ))}
    </Stack>
  );
}

interface StepProps {
  step: TraceStep;
  /** What the stored configuration says, where that is something else. */
  other: TraceStep | undefined;
  nodeName: string;
}

/** One step: what came of it, why, and the way to where it is set. Where the node and the configuration differ, both. */
function Step({ step, other, nodeName }: StepProps) {
  const t = useText(siteExplainText);
  const { open } = useText(verdictText);
  const { site } = useSite();
  const target = targetOf(step, site);
  // Most steps of most requests are off: they take one line.
  const small = (step.outcome === 'off' || step.outcome === 'unreached') && other === undefined;
  return (
    <Box
      component="li"
      sx={{
        py: small ? 0.75 : 1.5,
        pl: 2,
        borderLeft: 3,
        borderColor: step.outcome === 'stopped' ? 'error.main' : other ? 'warning.main' : 'divider',
      }}
    >
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
        <Typography
          variant={small ? 'body2' : 'subtitle2'}
          component="h3"
          sx={small ? { color: 'text.secondary' } : {}}
        >
          {t.steps[step.step]}
        </Typography>
        <StatusChip tone={tones[step.outcome]} label={t.outcomes[step.outcome]} />
        {other && <StatusChip tone="warning" label={t.differs} />}
        {target && <LinkIconButton target={target} icon="edit" label={`${open}: ${t.steps[step.step]}`} />}
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
  const { colon } = useText(kitText);
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography variant="body2" component="h4" sx={{ fontWeight: 600 }}>
        {`${title}${colon}${t.outcomes[step.outcome]}`}
      </Typography>
      <Saying step={step} />
    </Box>
  );
}

/** The reason, the level it was set at, and the facts that decided. */
function Saying({ step }: { step: TraceStep }) {
  const t = useText(siteExplainText);
  const { colon } = useText(kitText);
  const factText = useFactText();
  const { reason, level } = step;
  const facts = namedRules(step.facts);
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
              {t.facts[name]}
              {colon}
              <Box component="span" sx={{ color: 'text.primary' }}>
                {factText(step.step, name, value)}
              </Box>
            </Typography>
          ))}
        </Box>
      )}
    </>
  );
}
