import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle, Stack } from '@mui/material';
import { config } from '../../api/config.ts';
import { session } from '../../api/session.ts';
import { useText } from '../../i18n/text.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { accountText } from './account.text.ts';

/** The token, once, and how it is used. */
export function NewApiToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useText(accountText).tokens;
  const { admin_api, user_api } = config();
  const url = (session.role() === 'user' ? user_api : admin_api) || location.origin;
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby="api-token-title">
      <DialogTitle id="api-token-title">{t.made}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2 }}>
          <Alert severity="warning">{t.once}</Alert>
          <CodeBlock label={t.token} text={token} />
          <CodeBlock
            label={t.example}
            text={`curl -H 'Authorization: Bearer ${token}' ${url}/prod-api/auth/info`}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" onClick={onClose}>
          {t.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
