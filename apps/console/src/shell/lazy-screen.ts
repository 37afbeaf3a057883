import { errors } from '@breakwater/contract';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { FirstRead } from '../api/first-read.ts';
import { language } from '../i18n/language.ts';

/** The code of a screen could not be fetched: the server is away, or has a newer console. */
export class ScreenLoadError extends Error {
  override name = 'ScreenLoadError';
}

/**
 * A screen that is fetched when it is first visited. Left alone, the router would reload the window when the code does
 * not come, and a server that is away would leave the reader with the browser's own error page.
 */
export function lazyScreen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  const loadOrSay = () =>
    load().catch((cause: unknown): never => {
      throw new ScreenLoadError(errors.unavailable[language.get()], { cause });
    });
  return Object.assign(lazyRouteComponent(loadOrSay, name), {
    /** Resolves once what the screen shows first has been read, or at once where it says nothing of that. */
    readFirst: async (search: Record<string, unknown>) => {
      const { firstRead } = (await load()) as { firstRead?: FirstRead };
      await firstRead?.(search);
    },
  });
}

/** Code that did not come is asked for by a new start of the window, once the server answers. */
export async function reloadWhenServed(): Promise<void> {
  const answer = await fetch('/config.json', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
}
