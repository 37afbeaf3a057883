import { Toaster } from 'sonner';
import { useDark } from '../kit/dark.ts';
import { useSettings } from '../theme/settings.ts';

/** Where short-lived messages appear. */
export function Toasts() {
  const { direction } = useSettings();
  return (
    <Toaster
      richColors
      closeButton
      position="top-right"
      dir={direction}
      theme={useDark() ? 'dark' : 'light'}
    />
  );
}
