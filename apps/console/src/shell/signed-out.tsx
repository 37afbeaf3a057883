import { Button } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { signInFor, signInPath } from './return-target.ts';
import { shellText } from './shell.text.ts';
import { WindowDialog } from './window-dialog.tsx';
import { showWindowPage } from './window-page.ts';

/**
 * The session has ended over something that is not saved. Signing in takes place in another window, whose session this one
 * takes over (`session.isOthers`), so that what was entered can be saved after all.
 */
export function SignedOut() {
  const t = useText(shellText).signedOut;
  return (
    <WindowDialog title={t.title} body={t.body}>
      <Button
        color="inherit"
        onClick={() => void showWindowPage(signInFor(location.pathname + location.search))}
      >
        {t.discard}
      </Button>
      <Button variant="contained" autoFocus href={signInPath} target="_blank">
        {t.signIn}
      </Button>
    </WindowDialog>
  );
}
