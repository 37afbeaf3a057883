import { StrictMode, startTransition, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { isConfigKnown, loadConfig } from './api/config.ts';
import { forgetEarlyAnswers } from './api/early-reads.ts';
import { session } from './api/session.ts';
import { storage } from './api/storage.ts';
import { applyLanguage } from './i18n/language.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { showFatal } from './shell/fatal-page.ts';
import { FullScreenLoading } from './shell/full-screen-loading.tsx';
import {
  afterSignIn,
  guestPaths,
  homePath,
  publicPaths,
  signInFor,
  signInPath,
} from './shell/return-target.ts';
import { codeOf } from './shell/screen-load-error.ts';
import { isUnsaved } from './shell/unsaved.ts';
import { onWindowPage, showWindowPage } from './shell/window-page.ts';
import { prepareDirection } from './theme/direction.ts';
import { settings } from './theme/settings.ts';
import { Themed } from './theme/themed.tsx';

applyLanguage();
// What no part of the page waited for is nothing that its reader could do anything about (spec §8): operators are told. Whoever
// writes the console sees it as the error that it is.
if (!import.meta.env.DEV)
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault();
    console.debug('nobody waited for this', event.reason);
    void import('./api/console-fault.ts').then(
      ({ tellFault }) => tellFault(event.reason),
      () => undefined,
    );
  });

/** How long the window stays as it is before it shows that it waits for code. */
const firstCodeMs = 200;
const element = document.getElementById('root')!;
const root = createRoot(element, {
  // What no error page could show, the error page itself broken among it.
  onUncaughtError: (error) => {
    console.error(error);
    showFatal(element, error);
  },
});
/** In slices, between which the browser heeds its reader. */
const draw = (page: ReactNode) =>
  startTransition(() =>
    root.render(
      <StrictMode>
        <Themed>{page}</Themed>
      </StrictMode>,
    ),
  );

/** What the window shows: the pages that need no session, or the console of one. It is changed as a whole, so that nothing of one session is left in the next. */
interface Shown {
  page: ReactNode;
  /** It can be drawn with what it shows. */
  ready?: Promise<unknown>;
  /** It is about to be left: what it would still do with the address is not wanted. */
  leave?: () => void;
  /** It is drawn no more. */
  close?: () => void;
}
let shown: Shown | undefined;
/** How often it was asked for; what an older wish brings is not drawn. */
let wishes = 0;

async function openGuests(): Promise<Shown> {
  const { Guests } = await codeOf(import('./shell/guests.tsx'));
  return { page: <Guests key={wishes} /> };
}

/** What each role has of the console, in files of its own. */
const ofRoles = {
  admin: () => import('./shell/role/operator.ts').then((module) => module.operator),
  user: () => import('./shell/role/customer.ts').then((module) => module.customer),
};

async function openPage(): Promise<Shown> {
  if (!isConfigKnown) await loadConfig();
  if (publicPaths.includes(location.pathname)) return openGuests();
  const role = session.take();
  const { pathname, search } = location;
  if (role === null) {
    // What is stored by an older window must not outlive the session it belonged to.
    storage.remove('LoginInfos');
    if (pathname === '/') history.replaceState(null, '', signInPath);
    else if (pathname.startsWith(homePath)) history.replaceState(null, '', signInFor(pathname + search));
    return openGuests();
  }
  if (guestPaths.includes(pathname)) history.replaceState(null, '', afterSignIn(search));
  const [{ openConsole }, ofRole] = await codeOf(
    Promise.all([import('./shell/console.tsx'), ofRoles[role]()]),
  );
  return openConsole(ofRole);
}

async function show(): Promise<void> {
  const wish = ++wishes;
  // What was read for a console whose code did not come may be of somebody who has left.
  if (wish > 1) forgetEarlyAnswers();
  const waiting = setTimeout(() => shown ?? draw(<FullScreenLoading />), firstCodeMs);
  const opened = await openPage().catch((error: unknown): Shown => ({
    page: <ErrorPage key={wish} error={error} reset={show} />,
  }));
  // Its looks take as long to prepare as the server to answer.
  if (opened.ready && !shown) draw(null);
  await opened.ready;
  clearTimeout(waiting);
  if (wish !== wishes) return opened.close?.();
  draw(opened.page);
  shown?.close?.();
  shown = opened;
}

onWindowPage((href) => {
  shown?.leave?.();
  history.replaceState(null, '', href);
  return show();
});
// What was entered and not saved stays: the console says over it that one is signed out (`signed-out.tsx`).
session.onEnd(() => isUnsaved() || void showWindowPage(signInFor(location.pathname + location.search)));
// The pages of guests are no part of the router's history; and a window that the browser had kept may be of another session.
addEventListener('popstate', () => shown?.close ?? void show());
addEventListener('pageshow', ({ persisted }) => persisted && void show());
// A console that is read from the right is not drawn from the left first.
void prepareDirection(settings.get().direction)
  .catch((error: unknown) => console.warn('cannot mirror the console', error))
  .then(show);
