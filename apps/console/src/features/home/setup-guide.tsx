import type { SetupStep } from '@breakwater/contract';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { Icon } from '../../kit/icon.tsx';
import { to, type Target } from '../../kit/links.ts';
import { Bar } from '../../kit/meter.tsx';
import { Section } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { setupGuideText } from './setup-guide.text.ts';
import type { Setup } from './use-guide.ts';

interface SetupGuideProps {
  setup: Setup;
  onClose: () => void;
}

/** The way from nothing to the first request: what is done, and what is next with the link that leads there. */
export function SetupGuide({ setup: { steps, site }, onClose }: SetupGuideProps) {
  const t = useText(setupGuideText);
  const done = steps.filter((step) => step.done).length;
  const current = steps.find((step) => !step.done)?.id;
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={
        <Button color="inherit" size="small" onClick={onClose} title={t.closedHint}>
          {t.close}
        </Button>
      }
    >
      <Box sx={{ mb: 2 }}>
        <Bar share={done / Math.max(1, steps.length)} label={t.title} />
      </Box>
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} number={index + 1} isCurrent={step.id === current} site={site} />
        ))}
      </Box>
      {current === undefined && (
        <Alert severity="success" sx={{ mt: 1 }}>
          {t.done}
        </Alert>
      )}
    </Section>
  );
}

interface StepProps {
  step: Setup['steps'][number];
  number: number;
  isCurrent: boolean;
  site: Setup['site'];
}

function Step({ step: { id, done }, number, isCurrent, site }: StepProps) {
  const t = useText(setupGuideText);
  const target = targetOf(id, site);
  const state = done ? t.state.done : isCurrent ? t.state.current : t.state.later;
  return (
    <Stack
      component="li"
      direction="row"
      // WAI-ARIA: the current one of the steps of a process.
      {...(isCurrent ? { 'aria-current': 'step' as const } : {})}
      sx={{ gap: 1.5, py: 1, alignItems: 'flex-start' }}
    >
      <Mark done={done} isCurrent={isCurrent} number={number} label={state} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography
          component="h3"
          variant="subtitle2"
          sx={{ lineHeight: '28px', color: done || isCurrent ? 'text.primary' : 'text.secondary' }}
        >
          {t.steps[id]}
        </Typography>
        {isCurrent && (
          <Stack sx={{ gap: 1, alignItems: 'flex-start', pb: 0.5 }}>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.hints[id]}
            </Typography>
            {site && <Given id={id} site={site} />}
            {target && (
              <LinkButton target={target} variant="contained" size="small">
                {t.actions[id]}
              </LinkButton>
            )}
          </Stack>
        )}
      </Box>
    </Stack>
  );
}

/** What is to be copied for a step. */
function Given({ id, site: { domain, cname } }: { id: SetupStep; site: NonNullable<Setup['site']> }) {
  const t = useText(setupGuideText);
  if (id === 'dns' && cname !== null) return <CopyText text={cname} label={t.cname} />;
  if (id === 'request') return <CopyText text={`curl -I http://${domain}/`} label={t.command} />;
  return null;
}

function Mark({
  done,
  isCurrent,
  number,
  label,
}: {
  done: boolean;
  isCurrent: boolean;
  number: number;
  label: string;
}) {
  return (
    <Box
      role="img"
      aria-label={label}
      sx={(theme) => ({
        flexShrink: 0,
        width: 28,
        height: 28,
        borderRadius: '50%',
        display: 'grid',
        placeItems: 'center',
        fontSize: 13,
        fontWeight: 700,
        border: 2,
        borderColor: done ? 'success.main' : isCurrent ? 'primary.main' : 'divider',
        color: done ? 'success.dark' : isCurrent ? 'primary.dark' : 'text.secondary',
        ...theme.applyStyles('dark', {
          color: done ? 'success.light' : isCurrent ? 'primary.light' : 'text.secondary',
        }),
      })}
    >
      {done ? <Icon name="check" size={18} /> : number}
    </Box>
  );
}

/** Where a step is taken; those about a site lead to it once there is one. */
function targetOf(id: SetupStep, site: Setup['site']): Target | undefined {
  switch (id) {
    case 'node':
      return to.nodes();
    case 'line_group':
      return to.lineGroups();
    case 'site':
      return to.siteCreate();
    case 'request':
      return to.accessLogs();
    case 'domain':
    case 'dns':
      return site ? to.siteDetail({ id: site.id }) : undefined;
  }
}
