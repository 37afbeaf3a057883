import { allows, screens, type Screen, type ScreenId } from '@breakwater/contract';
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
import { isConfigKnown } from '../api/config.ts';
import { queryClient } from '../api/query.ts';
import { session } from '../api/session.ts';
import { storage } from '../api/storage.ts';
import { RouteError } from './error-page.tsx';
import { FullScreenLoading } from './full-screen-loading.tsx';
import { lazyScreen } from './lazy-screen.ts';
import {
  afterSignIn,
  faqsPath,
  privacyPath,
  rememberReturn,
  signInPath,
  signUpPath,
} from './return-target.ts';
import { screenComponents } from './screens.ts';

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
    throw redirect({ to: screens.home.path });
  },
});

const notFoundRoute = createRoute({ getParentRoute: () => root, path: '/404', component: NotFound });

/** Guest only: who is signed in goes on to where they were going. */
const guests = createRoute({
  getParentRoute: () => root,
  id: 'guests',
  beforeLoad: ({ location }) => {
    if (session.role() !== null)
      throw redirect({ href: afterSignIn(location.search as { returnTo?: string }) });
  },
});
const signInScreen = lazyScreen(() => import('./auth/sign-in.tsx'), 'SignIn');
const guestRoutes = [
  createRoute({ getParentRoute: () => guests, path: signInPath, component: signInScreen }),
  createRoute({
    getParentRoute: () => guests,
    path: signUpPath,
    component: lazyScreen(() => import('./auth/sign-up.tsx'), 'SignUp'),
  }),
];

const publicRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: faqsPath,
    component: lazyScreen(() => import('./public-pages.tsx'), 'Faqs'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: privacyPath,
    component: lazyScreen(() => import('./public-pages.tsx'), 'PrivacyPolicy'),
  }),
];

const dashboardLayout = lazyScreen(() => import('./dashboard-layout.tsx'), 'DashboardLayout');
/** Signed-in only. The account is loaded here, so that every screen below can count on it. */
const dashboard = createRoute({
  getParentRoute: () => root,
  id: 'dashboard',
  beforeLoad: async ({ location }) => {
    if (session.role() === null) throw redirect({ to: signInPath, search: rememberReturn(location.href) });
    const account = await queryClient.ensureQueryData(accountQuery());
    if (account.role === 'user' && account.status !== 'active') {
      session.clear();
      throw redirect({ to: signInPath });
    }
    session.remember(account);
    return { account };
  },
  pendingComponent: FullScreenLoading,
  pendingMs: 200,
  component: dashboardLayout,
});

/** How long a screen may wait for what it shows first, before it is drawn without. */
const firstReadMs = 150;

const screenRoutes = (Object.entries(screens) as [ScreenId, Screen][]).map(([id, screen]) =>
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
        screenComponents[id].readFirst(location.search).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, firstReadMs)),
      ]),
    component: screenComponents[id],
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

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    notFoundRoute,
    guests.addChildren(guestRoutes),
    ...publicRoutes,
    dashboard.addChildren(screenRoutes as AnyRoute[]),
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

session.onEnd(() => {
  const search = rememberReturn(router.state.location.href);
  // What was read goes once its screens are gone: while they are drawn, they count on the account.
  void router.navigate({ to: signInPath, search, ignoreBlocker: true }).then(() => queryClient.clear());
});

// The code of where the visitor will be is fetched while the server is asked who this is.
if (isConfigKnown && session.role() !== null) void queryClient.prefetchQuery(accountQuery());
const firstPages = (
  session.role() === null
    ? [signInScreen]
    : router
        .matchRoutes(router.latestLocation)
        .map(({ routeId }) => (router.routesById as Record<string, AnyRoute>)[routeId]?.options.component)
) as (Partial<typeof dashboardLayout> | undefined)[];
/** Settles once the code of the first page is there, or could not be fetched, which the page itself will tell. */
export const firstCode = Promise.allSettled(firstPages.flatMap((page) => page?.preload?.() ?? []));
if (session.role() !== null)
  for (const page of firstPages) page?.readFirst?.(router.latestLocation.search).catch(() => undefined);

// What is stored by an older tab must not outlive the session it belonged to.
if (session.role() === null) storage.remove('LoginInfos');

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: ScreenId;
  }
}
