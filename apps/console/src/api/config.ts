import * as z from 'zod';

/** What the server says of itself to the console. An empty address means the one the console was loaded from. */
const consoleConfig = z.object({ admin_api: z.string(), user_api: z.string(), app_name: z.string() });
export type ConsoleConfig = z.infer<typeof consoleConfig>;

let current: ConsoleConfig = { admin_api: '', user_api: '', app_name: 'Breakwater' };
export const config = (): ConsoleConfig => current;

/** Throws when the server cannot be reached. */
export async function loadConfig(): Promise<void> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  current = consoleConfig.parse(await response.json());
  document.title = current.app_name;
}
