import { Toaster } from 'sonner';
import { useDark } from '../kit/dark.ts';
import { useText } from '../i18n/text.ts';
import { useSettings } from '../theme/settings.ts';
import { shellText } from './shell.text.ts';

/** Where short-lived messages appear. */
export function Toasts() {
  const t = useText(shellText);
  const { direction } = useSettings();
  return (
    <Toaster
      richColors
      closeButton
      containerAriaLabel={t.notifications}
      toastOptions={{ closeButtonAriaLabel: t.close }}
      position="top-right"
      dir={direction}
      theme={useDark() ? 'dark' : 'light'}
    />
  );
}
