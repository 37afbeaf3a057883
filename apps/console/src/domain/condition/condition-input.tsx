import type { Condition } from '@breakwater/contract';
import { Box, Button, FormHelperText, Skeleton, Stack, Typography } from '@mui/material';
import { Suspense } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { useController } from 'react-hook-form';
import { useText } from '../../i18n/text.ts';
import { FieldGroup } from '../../kit/fields/field-group.tsx';
import type { FieldProps } from '../../kit/fields/inputs.tsx';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { useTells } from '../../kit/form/shown.ts';
import { Icon } from '../../kit/icon.tsx';
import type { ConditionErrors } from './errors.ts';
import { conditionText } from './condition.text.ts';
import { lazyPart } from '../../kit/lazy-part.tsx';

const ConditionEditor = lazyPart(() =>
  import('./condition-editor.tsx').then((module) => module.ConditionEditor),
);

const firstCondition: Condition = {
  match: 'all',
  negated: false,
  items: [{ field: 'path', operator: 'starts_with', values: [], negated: false, ignore_case: false }],
};

type ConditionInputProps<V extends FieldValues, N extends FieldPath<V>, T> = Omit<
  FieldProps<V, N, T>,
  'label'
> & {
  label?: string;
  /** What it belongs to is asked once the request's content is read. */
  content?: boolean;
};

/** Which requests something applies to: all, or those that suit a condition. The editor is loaded when there is one. */
export function ConditionInput<V extends FieldValues, N extends FieldPath<V>, T>(
  props: ConditionInputProps<V, N, T>,
) {
  const { control, name, label, hint, disabled = false, readOnly = false, content = false } = props;
  const t = useText(conditionText);
  useTells(control, name, label ?? t.label, { isDeep: true });
  const { field, fieldState } = useController({ name, ...(control ? { control } : {}) });
  const value = field.value as Condition | undefined;
  const errors = fieldState.error as ConditionErrors | undefined;
  const message = useFieldMessage()(
    errors?.message ?? errors?.items?.message ?? errors?.items?.root?.message,
  );
  const locked = disabled || readOnly;
  return (
    <FieldGroup label={label ?? t.label} helperText={message ?? hint} error={message !== undefined}>
      {value === undefined ? (
        <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t.everything}
          </Typography>
          {!locked && (
            <Button
              size="small"
              startIcon={<Icon name="filter" size={18} />}
              onClick={() => field.onChange(firstCondition)}
            >
              {t.add}
            </Button>
          )}
        </Stack>
      ) : (
        <Box onBlur={field.onBlur}>
          <Suspense fallback={<Skeleton variant="rounded" height={140} />}>
            <ConditionEditor
              value={value}
              onChange={field.onChange}
              onRemove={() => field.onChange(undefined)}
              errors={errors}
              locked={locked}
              content={content}
            />
          </Suspense>
        </Box>
      )}
      {value === undefined && fieldState.error !== undefined && message === undefined && (
        <FormHelperText error>{t.textFirst}</FormHelperText>
      )}
    </FieldGroup>
  );
}
