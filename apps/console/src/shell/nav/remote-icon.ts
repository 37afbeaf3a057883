import { iconHosts } from '@breakwater/contract';

/** Limits of spec §9. */
const timeoutMs = 5000;
const rotationMs = 750;
const urlLengthMax = 500;

interface IconData {
  width?: number;
  height?: number;
  icons?: Record<string, { body: string; width?: number; height?: number }>;
}

/**
 * The data URL of an icon `set:name`, from public icon hosts: the next one is asked as well when one has not answered
 * within 750 ms. Null where the name is none, nobody has it, or nobody answered in 5 s.
 */
export async function fetchIcon(
  name: string,
  signal: AbortSignal,
  hosts: readonly string[] = iconHosts,
): Promise<string | null> {
  const [, set, icon] = /^([a-z0-9-]+):([a-z0-9-]+)$/.exec(name) ?? [];
  if (!set || !icon) return null;
  const ended = new AbortController();
  const limit = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(timeoutMs)]);
  const failures = hosts.map(() => Promise.withResolvers<void>());
  const attempts = hosts.map(async (host, index) => {
    const url = `${host}/${set}.json?icons=${icon}`;
    try {
      if (url.length > urlLengthMax) throw new Error(`the address of the icon ${name} is too long`);
      if (index > 0) await Promise.race([pause(index * rotationMs, limit), failures[index - 1]!.promise]);
      return await ask(url, icon, limit);
    } finally {
      failures[index]!.resolve();
    }
  });
  const found = await Promise.any(attempts).catch(() => null);
  ended.abort();
  return found;
}

async function ask(url: string, icon: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  const data = (await response.json()) as IconData;
  const found = data.icons?.[icon];
  if (!response.ok || !found) throw new Error(`${url}: no such icon`);
  const size = `${found.width ?? data.width ?? 16} ${found.height ?? data.height ?? 16}`;
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">${found.body}</svg>`)}`;
}

/** Resolves after a while; rejects when it is no longer waited for. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
