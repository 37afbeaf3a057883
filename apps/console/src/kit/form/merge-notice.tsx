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
import { Suspense, use, useId, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { ChangeWordsContext } from '../change-words.ts';
import { kitText } from '../kit.text.ts';
import { setName } from '@breakwater/contract';
import type { DiffEntry, JsonValue } from '@breakwater/contract/json-diff';
import { isRecord, isSame } from '@breakwater/contract/list-items';
import type { Conflict, Merged } from './merge.ts';

type Side = 'mine' | 'theirs';
const sides = ['mine', 'theirs'] as const;

export interface Told<Value> extends Merged<Value> {
  /** Mine changes secrets, which theirs may have as well: they are never shown. */
  secrets: boolean;
}

interface MergeNoticeProps {
  form: UseFormReturn;
  merged: Told<unknown>;
}

/** Somebody saved in the meantime: what they changed is in the form; of what both changed, one chooses. */
export function MergeNotice({ form, merged }: MergeNoticeProps) {
  const t = useText(kitText);
  const { conflicts, taken, secrets } = merged;
  const { Changes } = use(ChangeWordsContext);
  return (
    <Alert
      severity="warning"
      sx={{ maxHeight: '40vh', overflowY: 'auto' }}
      slotProps={{ message: { sx: { flex: 1, minWidth: 0 } } }}
    >
      <strong>{t.staleTitle}</strong>
      <br />
      {conflicts.length > 0 ? t.mergedConflicts : t.merged}
      {secrets && (
        <Box component="p" sx={{ mt: 1, mb: 0 }}>
          {t.mergedSecrets}
        </Box>
      )}
      {conflicts.map((conflict) => (
        <Choice key={conflict.path} form={form} conflict={conflict} />
      ))}
      {taken.length > 0 && (
        <Box sx={{ mt: 2 }}>
          <Typography variant="subtitle2" sx={{ mb: 1 }}>
            {t.theirChanges}
          </Typography>
          <Suspense>
            <Changes entries={taken as readonly DiffEntry[]} />
          </Suspense>
        </Box>
      )}
    </Alert>
  );
}

function Choice({ form, conflict }: { form: UseFormReturn; conflict: Conflict }) {
  const t = useText(kitText);
  const id = useId();
  const { Changes, Value } = use(ChangeWordsContext);
  const value: unknown = useWatch({ control: form.control, name: conflict.path });
  // Neither, once it was changed by hand.
  const side = sides.find((each) => isSame(value, conflict[each])) ?? null;
  const choose = (next: Side) => {
    for (const part of [conflict, conflict.along])
      if (part) form.setValue(part.path, part[next], { shouldDirty: true, shouldTouch: true });
  };
  return (
    <FormControl sx={{ mt: 2, display: 'flex' }}>
      <FormLabel id={id}>{nameOf(conflict.path) ?? t.changedByBoth}</FormLabel>
      <RadioGroup aria-labelledby={id} value={side} onChange={(_, next) => choose(next as Side)}>
        {sides.map((each) => (
          <FormControlLabel
            key={each}
            value={each}
            control={<Radio size="small" />}
            label={
              <Shown label={t.sides[each]}>
                <Value path={conflict.path} value={conflict[each]} />
                {each === 'theirs' && conflict.along && <Changes entries={partsOf(conflict.along)} />}
              </Shown>
            }
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

function Shown({ label, children }: { label: string; children: ReactNode }) {
  const { colon } = useText(kitText);
  return (
    <Typography
      variant="body2"
      component="div"
      sx={{
        maxHeight: 160,
        overflowY: 'auto',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {label}
      {colon}
      <Suspense>{children}</Suspense>
    </Typography>
  );
}

/** What stands in an object, as the server answers it: of secrets, whether they are set, which says nothing here. */
function partsOf({ path, theirs }: NonNullable<Conflict['along']>): DiffEntry[] {
  return Object.entries(isRecord(theirs) ? theirs : {}).flatMap(([name, after]) =>
    after === undefined || after === '' || name.endsWith(setName(''))
      ? []
      : [{ path: `${path}.${name}`, after: after as JsonValue }],
  );
}

/** What the field at a path is called on the screen, if one is shown for it. */
function nameOf(path: string): string | undefined {
  const field = document.querySelector(`[name="${CSS.escape(path)}"]`);
  // That of a select is a `div`.
  const label =
    field?.closest('label') ?? field?.closest('.MuiFormControl-root')?.querySelector('.MuiFormLabel-root');
  return label?.textContent || undefined;
}
