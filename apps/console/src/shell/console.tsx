import type { ScreensFor } from '@breakwater/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider, type AnyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RoleTables } from 'virtual:tables';
import { accountQuery } from '../api/account.ts';
import { forgetEarlyAnswers } from '../api/early-reads.ts';
import { queryClient } from '../api/query.ts';
import { knowTables } from '../api/tables.ts';
import { ChangeViewsProvider, type ChangeViews } from '../domain/changes.tsx';
import { ChangeWordsContext, type ChangeWords } from '../kit/change-words.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { firstReadMs, makeRouter } from './router.tsx';
import type { sharedScreens } from './screens/shared.ts';

type LazyScreen = (typeof sharedScreens)['home'];
/** What a role has of the console. */
export interface ConsoleRole {
  tables: RoleTables;
  screens: typeof sharedScreens & Partial<Record<ScreensFor<'admin' | 'user'>, LazyScreen>>;
}

/** Fetched when a change of a site or of what sites inherit is first read. */
const SiteChanges = lazyPart(async () => (await import('../features/site/change/changes.tsx')).SiteChanges);
const changeViews: ChangeViews = { site: SiteChanges, site_level: SiteChanges };
const changeWords: ChangeWords = {
  Changes: lazyPart(async () => (await import('../frame/change/field-changes.tsx')).FieldChanges),
  Value: lazyPart(async () => (await import('../frame/change/field-changes.tsx')).FieldValue),
};

/** The console of one session. It answers once the code of its first page is there, or could not be fetched. */
export async function openConsole({ tables, screens }: ConsoleRole): Promise<{
  page: ReactNode;
  /** What the first page shows is there, or takes longer than one waits to see something. */
  ready: Promise<unknown>;
  leave: () => void;
  close: () => void;
}> {
  knowTables(tables);
  const router = makeRouter(screens);
  // The code of where one will be is fetched while the server is asked who this is.
  const account = queryClient.prefetchQuery(accountQuery());
  const first = router
    .matchRoutes(router.latestLocation)
    .map(({ routeId }) => (router.routesById as Record<string, AnyRoute>)[routeId]?.options.component)
    .filter((component) => component !== undefined) as Partial<LazyScreen>[];
  // What the first page asks the server for is asked before anything is drawn, since its code most often is there by then.
  // What fails the page meets itself, and says it.
  const reads = first.map((page) => page.readFirst?.(router.latestLocation.search).catch(() => undefined));
  const read = Promise.all([account, ...reads]);
  void read.finally(forgetEarlyAnswers);
  await Promise.allSettled(first.flatMap((page) => page.preload?.() ?? []));
  return {
    page: (
      <QueryClientProvider client={queryClient}>
        <ChangeViewsProvider value={changeViews}>
          <ChangeWordsContext value={changeWords}>
            <RouterProvider router={router} />
          </ChangeWordsContext>
        </ChangeViewsProvider>
      </QueryClientProvider>
    ),
    // Drawn once with all that is in it, the page is there sooner than a frame that is filled at once.
    ready: Promise.race([
      read.then(() => router.load()).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, firstReadMs)),
    ]),
    leave: () => router.history.destroy(),
    close: () => {
      router.history.destroy();
      queryClient.clear();
      knowTables({ routes: {}, screens: {}, menu: [] });
    },
  };
}
