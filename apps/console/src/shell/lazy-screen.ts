import { lazyRouteComponent } from '@tanstack/react-router';
import type { FirstRead } from '../api/first-read.ts';
import { codeOf } from './screen-load-error.ts';

/**
 * A screen that is fetched when it is first visited. Left alone, the router would reload the window when the code does
 * not come, and a server that is away would leave the reader with the browser's own error page.
 */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return Object.assign(
    lazyRouteComponent(() => codeOf(load()), name),
    {
      /** Resolves once what the screen shows first has been read, or at once where it says nothing of that. */
      readFirst: async (search: Record<string, unknown>) => {
        const { firstRead } = (await load()) as { firstRead?: FirstRead };
        await firstRead?.(search);
      },
    },
  );
}
