import {
  Alert,
  AlertTitle,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from '@mui/material';
import { useId, useState, type ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { kitText } from './kit.text.ts';
import { isRefusal } from './form/refusal.ts';
import { readable } from './readable.tsx';
import { readableDomains } from './domain-name.ts';

interface ConfirmProps {
  title: string;
  body: ReactNode;
  /** The verb on the button: what will happen. */
  action: string;
  /** Must be typed first. */
  typed?: string | undefined;
  destructive?: boolean;
  /** Said above why it was not done. */
  failure?: string;
  /** The dialog closes when it is done, and stays where that answers false; what it throws is shown here. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before an action. Mount it to open it. */
export function Confirm({
  title,
  body,
  action,
  typed,
  destructive = true,
  failure,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const t = useText(kitText);
  const titleId = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      const isDone = (await onConfirm()) !== false;
      if (isDone) onClose();
      else setBusy(false);
    } catch (reason) {
      setError(whatWasSaid(reason));
      setBusy(false);
    }
  };
  return (
    <Dialog open onClose={() => !busy && onClose()} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{readable(title)}</DialogTitle>
      <DialogContent>
        <DialogContentText component="div" sx={{ overflowWrap: 'anywhere' }}>
          {readable(body)}
        </DialogContentText>
        {typed !== undefined && (
          <TextField
            autoFocus
            margin="normal"
            label={t.typeToConfirm(readableDomains(typed))}
            value={text}
            onChange={(event) => setText(event.target.value)}
            slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false } }}
          />
        )}
        {error && (
          <Alert severity="error" sx={{ mt: 2 }}>
            <AlertTitle component="p">{failure ?? t.failed.operation}</AlertTitle>
            {error}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose} disabled={busy}>
          {t.cancel}
        </Button>
        <Button
          variant="contained"
          color={destructive ? 'error' : 'primary'}
          loading={busy}
          disabled={typed !== undefined && ![typed, readableDomains(typed)].includes(text.trim())}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** What a refusal says, with what it says of single parts of the call: a dialog has no fields for it to stand at. */
function whatWasSaid(reason: unknown): string {
  if (isRefusal(reason)) return [reason.message, ...reason.fields.map(({ message }) => message)].join(' · ');
  return reason instanceof Error ? reason.message : String(reason);
}
