import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { homePath, signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { openTabs } from './tabs.ts';
import { showWindowPage } from './window-page.ts';

/** Another window of the browser has signed in as somebody else: this one says so, and does nothing more for either of them. */
export function OtherAccount() {
  const t = useText(shellText).otherAccount;
  const id = useId();
  const name = session.storedName();
  const signIn = () => {
    session.clear();
    openTabs.clear();
    void showWindowPage(signInPath);
  };
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
        <DialogContentText id={`${id}-body`}>{t.body(name)}</DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={signIn}>
          {t.signIn}
        </Button>
        <Button variant="contained" autoFocus onClick={() => location.assign(homePath)}>
          {t.go(name)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
