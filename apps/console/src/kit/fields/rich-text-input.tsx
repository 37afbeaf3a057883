import { Box, FormHelperText, Skeleton, Typography } from '@mui/material';
import { Suspense, useId } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { errorColour } from '../error-colour.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { lazyPart } from '../lazy-part.tsx';

const RichTextEditor = lazyPart(() =>
  import('./rich-text-editor.tsx').then((module) => module.RichTextEditor),
);

/** Formatted text as HTML; nothing entered is the empty text. Only what the editor's schema knows survives in it. */
export function RichTextInput<V extends FieldValues, N extends FieldPath<V>, T>(props: FieldProps<V, N, T>) {
  const { label, disabled = false, readOnly = false } = props;
  const { field, error, helperText } = useField(props);
  const id = useId();
  return (
    <div>
      <Typography
        id={`${id}-label`}
        variant="subtitle2"
        component="div"
        sx={[{ mb: 0.75, color: 'text.secondary' }, error && errorColour]}
      >
        {label}
      </Typography>
      <Box
        onBlur={field.onBlur}
        sx={{
          border: 1,
          borderColor: error ? 'error.main' : 'divider',
          borderRadius: 1,
          bgcolor: disabled ? 'action.hover' : 'transparent',
          '&:focus-within': {
            outline: 2,
            outlineColor: error ? 'error.main' : 'primary.main',
            outlineOffset: -1,
          },
        }}
      >
        <Suspense fallback={<Skeleton variant="rectangular" height={200} />}>
          <RichTextEditor
            label={label}
            value={(field.value ?? '') as string}
            onChange={field.onChange}
            locked={disabled || readOnly}
            labelledBy={`${id}-label`}
            describedBy={helperText ? `${id}-help` : undefined}
            invalid={error}
            register={field.ref}
          />
        </Suspense>
      </Box>
      {helperText && (
        <FormHelperText id={`${id}-help`} error={error} sx={{ mx: 1.75 }}>
          {helperText}
        </FormHelperText>
      )}
    </div>
  );
}
