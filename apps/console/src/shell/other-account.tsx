import { Button } from '@mui/material';
import { session } from '../api/session.ts';
import { useText } from '../i18n/text.ts';
import { homePath, signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { openTabs } from './tabs.ts';
import { WindowDialog } from './window-dialog.tsx';
import { showWindowPage } from './window-page.ts';

/** Another window of the browser has signed in as somebody else: this one says so, and does nothing more for either of them. */
export function OtherAccount() {
  const t = useText(shellText).otherAccount;
  const name = session.storedName();
  const signIn = () => {
    session.clear();
    openTabs.clear();
    void showWindowPage(signInPath);
  };
  return (
    <WindowDialog title={t.title} body={t.body(name)}>
      <Button color="inherit" onClick={signIn}>
        {t.signIn}
      </Button>
      <Button variant="contained" autoFocus onClick={() => location.assign(homePath)}>
        {t.go(name)}
      </Button>
    </WindowDialog>
  );
}
