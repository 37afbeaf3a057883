import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import tables from 'virtual:tables/admin';
import { knowTables } from '../api/tables.ts';
import { applyLanguage } from '../i18n/language.ts';
import { prepareDirection } from '../theme/direction.ts';
import { settings } from '../theme/settings.ts';
import { Themed } from '../theme/themed.tsx';
import { kitRouter } from './kit-router.tsx';

applyLanguage();
knowTables(tables);
await prepareDirection(settings.get().direction);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Themed>
      <RouterProvider router={kitRouter} />
    </Themed>
  </StrictMode>,
);
