import { systemRuleFieldTypes } from '@breakwater/contract';
import { Box, Button, Stack, Typography } from '@mui/material';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { SelectInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { SystemRulesControl } from './system-rules.tsx';
import { siteSystemRulesText } from './system-rules.text.ts';

/** As the contract has it. */
const fieldsMax = 200;
const blank = { parameter: '', type: 'rich_text' as const };

/**
 * What parameters are for, so that text which looks like an attack and is none is left alone, such as HTML from an editor.
 */
export function SystemRuleFields({ control }: { control: SystemRulesControl }) {
  const t = useText(siteSystemRulesText);
  const { fields, append } = useFieldArray({ control, name: 'fields' });
  const held = useWatch({ control, name: 'fields' });
  return (
    <Section title={t.fields} hint={t.fieldsHint}>
      <FieldSourceNote name="fields" />
      {fields.length === 0 ? (
        <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="body2" sx={{ flex: '1 1 240px', color: 'text.secondary' }}>
            {t.noFields}
          </Typography>
          <Button
            color="inherit"
            variant="outlined"
            startIcon={<Icon name="add" />}
            onClick={() => append(blank)}
          >
            {t.addField}
          </Button>
        </Stack>
      ) : (
        <OrderedListInput
          control={control}
          name="fields"
          label={t.fields}
          labelHidden
          addLabel={t.addField}
          blank={() => blank}
          max={fieldsMax}
        >
          {(index) => (
            <Box
              component="fieldset"
              aria-label={t.field(held?.[index]?.parameter ?? '')}
              sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}
            >
              <Box sx={fieldGrid}>
                <TextInput control={control} name={`fields.${index}.parameter`} label={t.parameter} />
                <SelectInput
                  control={control}
                  name={`fields.${index}.type`}
                  label={t.type}
                  options={systemRuleFieldTypes.map((value) => ({ value, label: t.types[value] }))}
                />
              </Box>
            </Box>
          )}
        </OrderedListInput>
      )}
    </Section>
  );
}
