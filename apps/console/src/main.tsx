import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLanguage } from './i18n/language.ts';
import { App } from './shell/app.tsx';
import { showFatal } from './shell/fatal-page.ts';
import { prepareDirection } from './theme/direction.ts';
import { settings } from './theme/settings.ts';

applyLanguage();
// What nobody waited for is no error of the page's (it has been told where it was asked for); it can be read in the log.
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  console.debug('nobody waited for this', event.reason);
});
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

const { direction } = settings.get();
if (direction === 'ltr') draw();
// A console that is read from the right is not drawn from the left first. (An `await` here would cost all others, too:
// the bundler would keep files apart that it can join.)
else
  void prepareDirection(direction)
    .catch((error: unknown) => console.warn('cannot mirror the console', error))
    .then(draw);
