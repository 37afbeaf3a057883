import { Box, FormHelperText, Stack, Typography } from '@mui/material';
import { useId, type ReactNode } from 'react';
import { errorColour } from '../error-colour.ts';

/** There for screen readers, not for the eye. */
const visuallyHidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

interface FieldGroupProps {
  label: string;
  /** Said to screen readers only. */
  labelHidden?: boolean;
  helperText?: ReactNode;
  error?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** Several controls under one label, as one group for screen readers. */
export function FieldGroup({
  label,
  labelHidden = false,
  helperText,
  error = false,
  disabled = false,
  children,
}: FieldGroupProps) {
  const id = useId();
  return (
    <Box
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={helperText ? `${id}-help` : undefined}
      aria-disabled={disabled || undefined}
    >
      <Typography
        id={`${id}-label`}
        variant="subtitle2"
        component="div"
        sx={[{ mb: 1, color: 'text.secondary' }, error && errorColour, labelHidden && visuallyHidden]}
      >
        {label}
      </Typography>
      <Stack sx={{ gap: 1 }}>{children}</Stack>
      {helperText && (
        <FormHelperText id={`${id}-help`} error={error} role={error ? 'alert' : undefined} sx={{ mx: 1.75 }}>
          {helperText}
        </FormHelperText>
      )}
    </Box>
  );
}
