import { cacheableStatuses } from '@breakwater/contract';
import { Box, Button, Stack } from '@mui/material';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { ActionIcon } from '../../../../kit/action-button.tsx';
import { DurationInput, MultiSelectInput } from '../../../../kit/fields/inputs.tsx';
import { FieldGroup } from '../../../../kit/fields/field-group.tsx';
import { useListMessage } from '../../../../kit/fields/list-message.ts';
import { Icon } from '../../../../kit/icon.tsx';
import type { CacheControl } from './cache.tsx';
import { siteCacheText } from './cache.text.ts';

const options = cacheableStatuses.map((value) => ({ value, label: String(value) }));
/** As the contract has it. */
const rowsMax = 10;

/**
 * Lifetimes of their own for some statuses, before the rule's own. 206 is not among them: a part is no answer of its own.
 */
export function StatusTtls({ control, index }: { control: CacheControl; index: number }) {
  const t = useText(siteCacheText);
  const name = `rules.${index}.ttl_by_status` as const;
  const { fields, append, remove } = useFieldArray({ control, name });
  const rows = useWatch({ control, name });
  const message = useListMessage(control, name, t.statusTtl);
  return (
    <FieldGroup label={t.statusTtl} helperText={message ?? t.statusTtlHint} error={message !== undefined}>
      {fields.map((field, row) => (
        <Stack key={field.id} direction="row" sx={{ gap: 1, alignItems: 'flex-start' }}>
          <Box sx={{ flex: 1, display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr' } }}>
            <MultiSelectInput
              control={control}
              name={`${name}.${row}.statuses`}
              label={t.statuses}
              options={options}
            />
            <DurationInput control={control} name={`${name}.${row}.ttl_seconds`} label={t.ttl} />
          </Box>
          <ActionIcon
            icon="delete"
            label={t.removeStatus(rows?.[row]?.statuses.join(', ') ?? '')}
            onClick={() => remove(row)}
            size="medium"
          />
        </Stack>
      ))}
      {fields.length < rowsMax && (
        <Button
          size="small"
          startIcon={<Icon name="add" size={18} />}
          // What most who come here want: that missing pages are not asked for again and again.
          onClick={() => append({ statuses: [404], ttl_seconds: 60 })}
          sx={{ alignSelf: 'flex-start' }}
        >
          {t.addStatus}
        </Button>
      )}
    </FieldGroup>
  );
}
