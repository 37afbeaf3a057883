import '@fontsource-variable/public-sans/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { applyLanguage } from './i18n/language.ts';
import { App } from './shell/app.tsx';

applyLanguage();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
