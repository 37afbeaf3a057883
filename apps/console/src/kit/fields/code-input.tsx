import { Box, FormHelperText, Skeleton, Typography } from '@mui/material';
import { Suspense, useId } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { errorColour } from '../error-colour.ts';
import { useField, type FieldProps } from './inputs.tsx';
import { lazyPart } from '../lazy-part.tsx';

const CodeEditor = lazyPart(() => import('./code-editor.tsx').then((module) => module.CodeEditor));

interface CodeInputProps<V extends FieldValues, N extends FieldPath<V>, T> extends FieldProps<V, N, T> {
  language?: 'json' | 'text';
  rows?: number;
}

/** Text of several lines with numbers, brackets and colours. The editor is loaded when it is first shown. */
export function CodeInput<V extends FieldValues, N extends FieldPath<V>, T>(props: CodeInputProps<V, N, T>) {
  const { label, language = 'text', disabled = false, readOnly = false, rows = 8 } = props;
  const { field, error, helperText } = useField(props);
  const id = useId();
  const minHeight = rows * 20 + 16;
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
          minHeight,
          border: 1,
          borderColor: error ? 'error.main' : 'divider',
          borderRadius: 1,
          overflow: 'hidden',
          bgcolor: disabled ? 'action.hover' : 'transparent',
          '&:focus-within': {
            outline: 2,
            outlineColor: error ? 'error.main' : 'primary.main',
            outlineOffset: -1,
          },
        }}
      >
        <Suspense fallback={<Skeleton variant="rectangular" height={minHeight} />}>
          <CodeEditor
            value={(field.value ?? '') as string}
            onChange={field.onChange}
            language={language}
            locked={disabled || readOnly}
            minHeight={minHeight}
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
