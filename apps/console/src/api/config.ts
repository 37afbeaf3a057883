import type { ConsoleSetting } from '@breakwater/contract';

/** What the server says of itself to the console. An empty address means the one the console was loaded from. */
export interface ConsoleConfig {
  admin_api: string;
  user_api: string;
  app_name: string;
  /** What a reader sees who chose none. */
  language: ConsoleSetting['language'];
}

let current: ConsoleConfig = { admin_api: '', user_api: '', app_name: 'Breakwater', language: 'zh' };
export const config = (): ConsoleConfig => current;

function take({ admin_api = '', user_api = '', ...named }: Partial<ConsoleConfig>): void {
  current = { ...current, ...named, admin_api, user_api };
  document.title = current.app_name;
}

/** The server writes what it says into the page, which saves a request before the first. Unit tests have no page. */
const page = globalThis.document as Document | undefined;
const written = page?.querySelector<HTMLMetaElement>('meta[name="breakwater-config"]')?.content;
if (written !== undefined) take(JSON.parse(written) as Partial<ConsoleConfig>);

export const isConfigKnown = written !== undefined;

/** For a page from elsewhere, which holds none. Throws when the server cannot be reached. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  take((await response.json()) as Partial<ConsoleConfig>);
}
