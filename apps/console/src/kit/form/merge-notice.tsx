import {
  Alert,
  Box,
  FormControl,
  FormControlLabel,
  FormLabel,
  Radio,
  RadioGroup,
  Typography,
} from '@mui/material';
import { useId } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { DiffView } from '../diff-view.tsx';
import { kitText } from '../kit.text.ts';
import { isSame } from '@breakwater/contract/list-items';
import type { Conflict, Merged } from './merge.ts';

type Side = 'mine' | 'theirs';
const sides = ['mine', 'theirs'] as const;

interface MergeNoticeProps {
  form: UseFormReturn;
  merged: Merged<unknown>;
}

/** Somebody saved in the meantime: what they changed is in the form; of what both changed, one chooses. */
export function MergeNotice({ form, merged }: MergeNoticeProps) {
  const t = useText(kitText);
  const { conflicts, taken } = merged;
  return (
    <Alert
      severity="warning"
      sx={{ maxHeight: '40vh', overflowY: 'auto' }}
      slotProps={{ message: { sx: { flex: 1, minWidth: 0 } } }}
    >
      <strong>{t.staleTitle}</strong>
      <br />
      {conflicts.length > 0 ? t.mergedConflicts : t.merged}
      {conflicts.map((conflict) => (
        <Choice key={conflict.path} form={form} conflict={conflict} />
      ))}
      {taken.length > 0 && (
        <Box sx={{ mt: 2 }}>
          <Typography variant="subtitle2" sx={{ mb: 1 }}>
            {t.theirChanges}
          </Typography>
          <DiffView entries={taken.map((change) => ({ ...change, path: nameOf(change.path) }))} />
        </Box>
      )}
    </Alert>
  );
}

function Choice({ form, conflict }: { form: UseFormReturn; conflict: Conflict }) {
  const t = useText(kitText);
  const id = useId();
  const value: unknown = useWatch({ control: form.control, name: conflict.path });
  // Neither, once it was changed by hand.
  const side = sides.find((each) => isSame(value, conflict[each])) ?? null;
  const choose = (next: Side) =>
    form.setValue(conflict.path, conflict[next], { shouldDirty: true, shouldTouch: true });
  return (
    <FormControl sx={{ mt: 2, display: 'flex' }}>
      <FormLabel id={id}>{nameOf(conflict.path)}</FormLabel>
      <RadioGroup aria-labelledby={id} value={side} onChange={(_, next) => choose(next as Side)}>
        {sides.map((each) => (
          <FormControlLabel
            key={each}
            value={each}
            control={<Radio size="small" />}
            label={<Shown label={t.sides[each]} value={conflict[each]} />}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

function Shown({ label, value }: { label: string; value: unknown }) {
  const t = useText(kitText);
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Typography
      variant="body2"
      component="span"
      sx={{
        display: 'block',
        maxHeight: 160,
        overflowY: 'auto',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {label}: {text === undefined || text === '' ? t.absent : text}
    </Typography>
  );
}

/** What the field at a path is called on the screen; the path itself where none is shown for it. */
function nameOf(path: string): string {
  const field = document.querySelector(`[name="${CSS.escape(path)}"]`);
  const label = field?.closest('label') ?? field?.closest('.MuiFormControl-root')?.querySelector('label');
  return label?.textContent || path;
}
