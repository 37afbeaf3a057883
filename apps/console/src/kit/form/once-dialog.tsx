import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack } from '@mui/material';
import { useId, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';
import { UnsavedGuard } from './form-parts.tsx';

interface OnceDialogProps {
  title: string;
  /** That it is not shown again. */
  warning: string;
  /** The button that closes it: that it was kept. */
  done: string;
  maxWidth?: 'xs' | 'sm';
  onClose: () => void;
  children: ReactNode;
}

/** Secrets that are told once: nothing closes it but its button, and whoever leaves the page is asked. */
export function OnceDialog({ title, warning, done, maxWidth = 'sm', onClose, children }: OnceDialogProps) {
  const { shownOnce } = useText(kitText);
  const titleId = useId();
  return (
    <Dialog open fullWidth maxWidth={maxWidth} aria-labelledby={titleId}>
      <UnsavedGuard form={{ formState: { isDirty: true, isSubmitting: false } }} body={shownOnce} />
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="warning">{warning}</Alert>
          {children}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
