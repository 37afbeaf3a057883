import { lazyRouteComponent } from '@tanstack/react-router';
import type { FirstRead } from '../api/first-read.ts';
import { codeOf } from './screen-load-error.ts';

/**
 * A screen that is fetched when it is first visited. Left alone, the router would reload the window when the code does
 * not come, and a server that is away would leave the reader with the browser's own error page. `loadRead`: of a screen whose
 * `firstRead` is in a file of its own, which is there before the screen's code.
 */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  loadRead: () => Promise<object> = load,
) {
  return Object.assign(
    lazyRouteComponent(() => codeOf(load()), name),
    {
      /** Resolves once what the screen shows first has been read, or at once where it says nothing of that. */
      readFirst: async (search: Record<string, unknown>) => {
        const { firstRead } = (await loadRead()) as { firstRead?: FirstRead };
        await firstRead?.(search);
      },
    },
  );
}
