/** What the server says of itself to the console. An empty address means the one the console was loaded from. */
export interface ConsoleConfig {
  admin_api: string;
  user_api: string;
  app_name: string;
}

let current: ConsoleConfig = { admin_api: '', user_api: '', app_name: 'Breakwater' };
export const config = (): ConsoleConfig => current;

/** Throws when the server cannot be reached. */
async function loadConfig(): Promise<void> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  const {
    admin_api = '',
    user_api = '',
    app_name = current.app_name,
  } = (await response.json()) as Partial<ConsoleConfig>;
  current = { admin_api, user_api, app_name };
  document.title = current.app_name;
}

/** Asked for before anything else is fetched. */
let first: Promise<void> | undefined = loadConfig();
first.catch(() => undefined);

/** The first answer, or a new one for who asks again. Throws when the server cannot be reached. */
export function takeConfig(): Promise<void> {
  const asked = first ?? loadConfig();
  first = undefined;
  return asked;
}
