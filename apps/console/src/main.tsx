import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLanguage } from './i18n/language.ts';
import { App } from './shell/app.tsx';
import { showFatal } from './shell/fatal-page.ts';
import { firstCode } from './shell/router.tsx';
import { prepareDirection } from './theme/direction.ts';
import { settings } from './theme/settings.ts';

applyLanguage();
// What nobody waited for is no error of the page's (it has been told where it was asked for); it can be read in the log.
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  console.debug('nobody waited for this', event.reason);
});
/** How long the window stays as it is before it shows that it waits for code. */
const firstCodeMs = 200;
const root = document.getElementById('root')!;
const draw = () =>
  createRoot(root, {
    // What no error page could show, the error page itself broken among it.
    onUncaughtError: (error) => {
      console.error(error);
      showFatal(root, error);
    },
  }).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

const inTime = (wanted: Promise<unknown>, ms: number) =>
  Promise.race([wanted, new Promise((resolve) => setTimeout(resolve, ms))]);
// A console that is read from the right is not drawn from the left first. And what the first page asks the server for is
// asked before anything is drawn, since its code most often is there by then.
void Promise.all([
  inTime(firstCode, firstCodeMs),
  prepareDirection(settings.get().direction).catch((error: unknown) =>
    console.warn('cannot mirror the console', error),
  ),
]).then(draw);
