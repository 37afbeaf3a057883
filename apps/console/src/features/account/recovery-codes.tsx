import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { accountText } from './account.text.ts';

/** Told once. It closes by its button only. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useText(accountText).twoFactor;
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby="recovery-codes-title">
      <DialogTitle id="recovery-codes-title">{t.codes}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="warning">{t.codesOnce}</Alert>
          <CodeBlock label={t.codes} text={codes.join('\n')} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t.codesKept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
