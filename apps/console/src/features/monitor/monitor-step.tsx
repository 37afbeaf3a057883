import { MenuItem, TextField } from '@mui/material';
import { ownStep, stepsOf, type MonitorScope, type Step } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { monitorText } from './monitor.text.ts';

interface StepChoiceProps {
  range: TimeRange;
  scope: MonitorScope;
  now: number;
  value: Step | undefined;
  onChange: (step: Step | undefined) => void;
}

/** How fine the charts are; only what the range can be drawn in. */
export function StepChoice({ range, scope, now, value, onChange }: StepChoiceProps) {
  const t = useText(monitorText);
  const name = useStepName();
  return (
    <TextField
      select
      fullWidth={false}
      label={t.step}
      value={value ?? ''}
      onChange={(event) =>
        onChange(event.target.value === '' ? undefined : (Number(event.target.value) as Step))
      }
      slotProps={{ inputLabel: { shrink: true }, select: { displayEmpty: true } }}
      sx={{ minWidth: 130 }}
    >
      <MenuItem value="">{t.ownStep(name(ownStep(range, scope)))}</MenuItem>
      {stepsOf(range, scope, now).map((step) => (
        <MenuItem key={step} value={step}>
          {name(step)}
        </MenuItem>
      ))}
    </TextField>
  );
}

function useStepName(): (step: Step) => string {
  const t = useText(kitText);
  return (step) => {
    if (step < 60) return `${step} ${t.second}`;
    if (step < 3600) return `${step / 60} ${t.minute}`;
    return step < 86_400 ? `${step / 3600} ${t.hour}` : `${step / 86_400} ${t.day}`;
  };
}
