import { errors } from '@breakwater/contract';
import { language } from '../i18n/language.ts';

/** The code of a screen could not be fetched: the server is away, or has a newer console. */
export class ScreenLoadError extends Error {
  override name = 'ScreenLoadError';
}

/** Code that is on its way. Throws `ScreenLoadError`. */
export const codeOf = <Module>(load: Promise<Module>): Promise<Module> =>
  load.catch((cause: unknown): never => {
    throw new ScreenLoadError(errors.unavailable[language.get()], { cause });
  });

/** Code that did not come is asked for by a new start of the window, once the server answers. */
export async function reloadWhenServed(): Promise<void> {
  const answer = await fetch('/config.json', { cache: 'no-store' }).catch(() => null);
  if (answer?.ok) location.reload();
}
