import { Alert, Button } from '@mui/material';
import { lazy, type ComponentType } from 'react';
import { useText } from '../i18n/text.ts';
import { kitText } from './kit.text.ts';
import { orInstead } from './lazy-overlay.ts';

/**
 * A part whose code is fetched when it is first shown. Where that does not come, for the console was updated or its server is
 * away, the part's place says so, and everything around it stays: a form keeps what was entered.
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() => orInstead(load(), PartMissing));

/** In the place of a part that did not come. Reloading is offered: unsaved work is asked about first. */
export function PartMissing() {
  const t = useText(kitText);
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" onClick={() => location.reload()}>
          {t.reloadPage}
        </Button>
      }
    >
      {t.partMissing}
    </Alert>
  );
}
