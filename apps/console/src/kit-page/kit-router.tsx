import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type AnyRoute,
  type AnyRouter,
} from '@tanstack/react-router';
import { Typography } from '@mui/material';
import { useText } from '../i18n/text.ts';
import { KitFrame } from './kit-frame.tsx';
import { kitPageText } from './kit-page.text.ts';

/** One address per section, so that a browser test, a bench and a person can go straight to it. */
const sections = {
  table: lazyRouteComponent(() => import('./sections/table.tsx'), 'TableSection'),
  fields: lazyRouteComponent(() => import('./sections/fields.tsx'), 'FieldsSection'),
  forms: lazyRouteComponent(() => import('./sections/forms.tsx'), 'FormsSection'),
  charts: lazyRouteComponent(() => import('./sections/charts.tsx'), 'ChartsSection'),
  values: lazyRouteComponent(() => import('./sections/values.tsx'), 'ValuesSection'),
  states: lazyRouteComponent(() => import('./sections/states.tsx'), 'StatesSection'),
  'virtual-rows': lazyRouteComponent(() => import('./sections/virtual-rows.tsx'), 'VirtualRowsSection'),
};

const root = createRootRoute({ component: KitFrame, notFoundComponent: Missing });
const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/table' });
  },
});
const routes = Object.entries(sections).map(([path, component]) =>
  createRoute({ getParentRoute: () => root, path: `/${path}`, component }),
);

/** Typed loosely on purpose: the console's own router is the one whose links are checked. */
export const kitRouter: AnyRouter = createRouter({
  routeTree: root.addChildren([index, ...(routes as AnyRoute[])]),
  history: createHashHistory(),
});

function Missing() {
  return <Typography sx={{ p: 3 }}>{useText(kitPageText).missing}</Typography>;
}
