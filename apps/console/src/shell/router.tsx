import { allows, type ScreenId } from '@breakwater/contract';
import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { accountQuery, holderOf } from '../api/account.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { knownScreens } from '../api/tables.ts';
import type { ConsoleRole } from './console.tsx';
import { FullScreenLoading } from './full-screen-loading.tsx';
import { lazyScreen } from './lazy-screen.ts';
import { homePath, notFoundPath, signInFor } from './return-target.ts';
import { RouteError } from './route-error.tsx';
import { showWindowPage } from './window-page.ts';

const NotFound = lazyScreen(() => import('./not-found.tsx'), 'NotFound');
const root = createRootRoute({
  component: Outlet,
  // In place of what is not there, or not for this reader: the address stays, to be read and mended.
  notFoundComponent: () => (
    <Suspense>
      <NotFound />
    </Suspense>
  ),
  errorComponent: RouteError,
});

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: homePath });
  },
});

const notFoundRoute = createRoute({ getParentRoute: () => root, path: notFoundPath, component: NotFound });

const dashboardLayout = lazyScreen(() => import('./dashboard-layout.tsx'), 'DashboardLayout');
/** The session is over: the window shows the sign-in page, and this router has nothing to show any more. */
function leave(): Promise<never> {
  if (session.isOver()) void showWindowPage(signInFor(location.pathname + location.search));
  else session.ended();
  return new Promise(() => {});
}

/** Signed-in only. The account is loaded here, so that every screen below can count on it. */
const dashboard = createRoute({
  getParentRoute: () => root,
  id: 'dashboard',
  beforeLoad: async () => {
    if (session.role() === null) return leave();
    const account = await queryClient.ensureQueryData(accountQuery());
    if (account.role === 'user' && account.status !== 'active') return leave();
    session.remember(account);
    return { account };
  },
  pendingComponent: FullScreenLoading,
  pendingMs: 200,
  component: dashboardLayout,
});

/** How long a screen may wait for what it shows first, before it is drawn without. */
export const firstReadMs = 150;

const screenRoutes = (components: ConsoleRole['screens']) =>
  knownScreens().map(([id, screen]) =>
    createRoute({
      getParentRoute: () => dashboard,
      path: screen.path.replace(/\{(\w+)\}/g, '$$$1'),
      beforeLoad: ({ context, params }) => {
        const { id: key } = params as { id?: string };
        const named = key === undefined || /^[1-9]\d{0,9}$/.test(key);
        if (!named || !allows(screen.access, holderOf(context.account))) throw notFound();
      },
      // What comes at once is drawn at once; what takes longer is waited for by the screen itself.
      loader: ({ location }) =>
        Promise.race([
          components[id]?.readFirst(location.search).catch(() => undefined),
          new Promise((resolve) => setTimeout(resolve, firstReadMs)),
        ]),
      component: components[id]!,
      staticData: { screen: id },
    }),
  );

/** Plain text both ways: a search of `1` stays the text `1`, and each screen's schema says what it means. */
const parseSearch = (text: string) => Object.fromEntries(new URLSearchParams(text));
function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  const text = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString();
  return text && `?${text}`;
}

/** The router of a session: of the screens that its role has. */
export const makeRouter = (screens: ConsoleRole['screens']) =>
  createRouter({
    routeTree: root.addChildren([
      index,
      notFoundRoute,
      dashboard.addChildren(screenRoutes(screens) as AnyRoute[]),
    ]),
    defaultErrorComponent: RouteError,
    // What the error page cannot show is for the last page (`fatal-page.ts`), not for the router's own box.
    disableGlobalCatchBoundary: true,
    defaultPendingComponent: FullScreenLoading,
    defaultPreload: 'intent',
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
  });

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: ScreenId;
  }
}
