import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

const noSuchName = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Addresses of names: as the hosts file has them, else the name servers. The system's own `getaddrinfo` would hold a thread for each
 * name, of which the process has four, and a few dead names all of them, those of files too. It is asked only for what the
 * name servers say they do not have: search domains, and whatever else the system knows names from.
 */
export class NameLookUp {
  readonly #resolver: Resolver;
  readonly #hosts: ReadonlyMap<string, string[]>;

  private constructor(resolver: Resolver, hosts: ReadonlyMap<string, string[]>) {
    this.#resolver = resolver;
    this.#hosts = hosts;
  }

  /** With the hosts file and, unless others are given, the name servers of this moment. */
  static async start(servers?: readonly string[]): Promise<NameLookUp> {
    const resolver = new Resolver({ timeout: 2000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    return new NameLookUp(resolver, hostsIn(await readFile('/etc/hosts', 'utf8').catch(() => '')));
  }

  /** Sorted: many name servers rotate their answers, and another order is no change. */
  async addressesOf(name: string): Promise<string[]> {
    const known = this.#hosts.get(name.toLowerCase());
    return (known ?? (await this.#fromServers(name))).toSorted();
  }

  async #fromServers(name: string): Promise<string[]> {
    const [v4, v6] = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (found.length > 0) return found;
    const failure = [v4, v6].find((each) => each.status === 'rejected' && !isNoSuchName(each.reason));
    if (failure?.status === 'rejected') throw failure.reason;
    return (await lookup(name, { all: true })).map(({ address }) => address);
  }
}

const isNoSuchName = (error: unknown): boolean => noSuchName.has((error as NodeJS.ErrnoException).code ?? '');

/** hosts(5): an address and its names a line. */
export function hostsIn(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    for (const name of names) {
      const key = name.toLowerCase();
      hosts.set(key, [...new Set([...(hosts.get(key) ?? []), address!])]);
    }
  }
  return hosts;
}
