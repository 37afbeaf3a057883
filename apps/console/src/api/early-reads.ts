import { config } from './config.ts';
import type { EarlyRead } from './early-read.ts';
import { withPageSize } from './page-size.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';

/**
 * A file of its own, which runs as soon as it is there: the server is asked while the rest of the console is on its way. `send` takes
 * an answer over where it asks for the very same; else, as where a value of the address does not fit, it asks by itself.
 */
const token = session.token();
const begun = new Map<string, { answer: Promise<Response>; abort: () => void }>();
const page = globalThis.document as Document | undefined;
const written = page?.querySelector<HTMLMetaElement>('meta[name="breakwater-reads"]')?.content;
// The server that the page came from is asked, and no other: its role's reads are what it wrote.
const api = session.role() === 'user' ? config().user_api : config().admin_api;
if (written !== undefined && token !== null && api === '')
  for (const read of JSON.parse(written) as EarlyRead[]) begin(addressOf(read), token);

function begin(address: string, bearer: string): void {
  const language = storage.read('appLanguage') ?? config().language;
  const ended = new AbortController();
  const answer = fetch(address, {
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${bearer}`,
      // Else the browser says itself what its reader prefers.
      ...(language === 'browser' ? {} : { 'accept-language': language }),
    },
    signal: ended.signal,
  });
  // Whoever wants it meets the fault.
  answer.catch(() => undefined);
  begun.set(address, { answer, abort: () => ended.abort() });
}

function addressOf({ path, list }: EarlyRead): string {
  if (list === undefined) return path;
  const search = withPageSize(list.name, Object.fromEntries(new URLSearchParams(location.search)));
  const query = new URLSearchParams();
  for (const [name, byDefault] of list.query) {
    const value = String((search[name] as string | number | undefined) ?? byDefault);
    if (value !== '') query.set(name, value);
  }
  return `${path}?${query.toString()}`;
}

/** The answer to what was asked early for the same session, once; nothing where it has to be asked (again). */
export async function earlyAnswer(
  address: string,
  ownToken: string | null,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const read = begun.get(address);
  if (read === undefined || ownToken !== token) return undefined;
  begun.delete(address);
  signal.addEventListener('abort', read.abort);
  const response = await read.answer.catch(() => undefined);
  return response?.ok ? response : undefined;
}

/** The first page is there, or its code is not: what it did not take is old by the time that somebody asks. */
export function forgetEarlyAnswers(): void {
  for (const { abort } of begun.values()) abort();
  begun.clear();
}
