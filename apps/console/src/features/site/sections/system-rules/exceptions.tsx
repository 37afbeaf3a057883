import { systemRuleDetectors, type systemRuleException } from '@breakwater/contract';
import { Alert, Box, Button, Stack, Typography } from '@mui/material';
import { useEffect } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import * as z from 'zod';
import { detectorText } from '../../../../domain/detector.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { DateTimeInput } from '../../../../kit/fields/date-time-input.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { SelectInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useSearchState } from '../../../../kit/search-state.ts';
import { fieldGrid } from '../../section/field-grid.ts';
import type { SystemRulesControl } from './system-rules.tsx';
import { siteSystemRulesText } from './system-rules.text.ts';

/** What a line of the access log fills in. */
const search = z.strictObject({
  except: z.enum(systemRuleDetectors).optional(),
  except_path: z.string().optional(),
  except_parameter: z.string().optional(),
});
/** As the contract has it. */
const exceptionsMax = 200;
/** Says nothing yet: the contract refuses an exception of everything, so that it cannot be saved by mistake. */
const blank = { note: '' };

/** What the detectors do not judge: whatever of path, parameter and detector is given has to agree. */
export function SystemRuleExceptions({ control }: { control: SystemRulesControl }) {
  const t = useText(siteSystemRulesText);
  const { fields, append } = useFieldArray({ control, name: 'exceptions' });
  const isFilledIn = useFilledIn(fields, append);
  return (
    <Section title={t.exceptions} hint={t.exceptionsHint}>
      <FieldSourceNote name="exceptions" />
      {isFilledIn && <Alert severity="info">{t.filledIn}</Alert>}
      {fields.length === 0 ? (
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="body2" sx={{ flex: '1 1 240px', color: 'text.secondary' }}>
            {t.noExceptions}
          </Typography>
          <Button
            color="inherit"
            variant="outlined"
            startIcon={<Icon name="add" />}
            onClick={() => append(blank)}
          >
            {t.addException}
          </Button>
        </Stack>
      ) : (
        <OrderedListInput
          control={control}
          name="exceptions"
          label={t.exceptions}
          labelHidden
          addLabel={t.addException}
          blank={() => blank}
          max={exceptionsMax}
        >
          {(index) => <ExceptionRow control={control} index={index} />}
        </OrderedListInput>
      )}
    </Section>
  );
}

type Exception = z.input<typeof systemRuleException>;

/** Adds the exception that the address names, unless it is there; whether there is one. */
function useFilledIn(held: readonly Exception[], append: (exception: Exception) => void): boolean {
  const [{ except, except_path: path, except_parameter: parameter }] = useSearchState(search);
  const isThere = held.some(
    (one) => one.detector === except && one.path === path && one.parameter === parameter,
  );
  useEffect(() => {
    if (except === undefined || isThere) return;
    append({
      detector: except,
      ...(path === undefined ? {} : { path }),
      ...(parameter === undefined ? {} : { parameter }),
      note: '',
    });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once: what the reader makes of it afterwards is theirs.
  }, [except, path, parameter]);
  return except !== undefined;
}

function ExceptionRow({ control, index }: { control: SystemRulesControl; index: number }) {
  const t = useText(siteSystemRulesText);
  const { detectors } = useText(detectorText);
  const name = `exceptions.${index}` as const;
  const { note, detector, path, parameter } = useWatch({ control, name }) ?? {};
  const what = [detector && detectors[detector], path, parameter].filter(Boolean).join(' ');
  return (
    <Box
      component="fieldset"
      aria-label={t.exception(note || what)}
      sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}
    >
      <Box sx={fieldGrid}>
        <TextInput
          control={control}
          name={`${name}.path`}
          label={t.path}
          hint={t.pathHint}
          placeholder="/editor/*"
        />
        <TextInput
          control={control}
          name={`${name}.parameter`}
          label={t.parameter}
          hint={t.parameterHint}
          placeholder="content"
        />
        <SelectInput
          control={control}
          name={`${name}.detector`}
          label={t.detector}
          noneLabel={t.anyDetector}
          options={systemRuleDetectors.map((value) => ({ value, label: detectors[value] }))}
        />
        <TextInput control={control} name={`${name}.note`} label={t.note} />
        <DateTimeInput control={control} name={`${name}.until`} label={t.until} hint={t.untilHint} />
      </Box>
    </Box>
  );
}
