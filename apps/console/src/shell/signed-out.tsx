import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { useText } from '../i18n/text.ts';
import { signInFor, signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { showWindowPage } from './window-page.ts';

/**
 * The session has ended over something that is not saved. Signing in takes place in another window, whose session this one
 * takes over (`session.isOthers`), so that what was entered can be saved after all.
 */
export function SignedOut() {
  const t = useText(shellText).signedOut;
  const id = useId();
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      maxWidth="xs"
    >
      <DialogTitle id={`${id}-title`}>{t.title}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-body`}>{t.body}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button
          color="inherit"
          onClick={() => void showWindowPage(signInFor(location.pathname + location.search))}
        >
          {t.discard}
        </Button>
        <Button variant="contained" autoFocus href={signInPath} target="_blank">
          {t.signIn}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
