import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLanguage } from './i18n/language.ts';
import { App } from './shell/app.tsx';
import { prepareDirection } from './theme/direction.ts';
import { settings } from './theme/settings.ts';

applyLanguage();
// A console that is read from the right is not drawn from the left first.
await prepareDirection(settings.get().direction).catch((error: unknown) =>
  console.warn('cannot mirror the console', error),
);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
