import { isIP } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause } from '../backoff.ts';
import { replaceFile } from '../durable-file.ts';
import { NameLookUp } from './look-up.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';

export interface ResolverOptions {
  control: EdgeControl;
  /** `resolved.json`, which nginx reads when it starts. */
  path: string;
  logger: Logger;
  intervalSeconds?: number;
  /** The machine's own when absent. */
  nameServers?: readonly string[];
  /** Called when names have come to other addresses. */
  onChange?: () => void;
}

const resolvedFile = z.record(z.string(), z.array(z.string()));
/** The part of a site document that names its origins; other documents have none. */
const withOrigins = z.object({
  origin_server_config: z.object({ origins: z.array(z.object({ address: z.string() })) }),
});

/** One of an account at a vendor of challenges, which nodes ask as they ask origins. */
const withVendor = z.object({ account_id: z.int(), verify_url: z.string() });

const lookupsAtOnce = 64;
/** What has been found is told while slower names are still looked for. */
const tellMilliseconds = 500;
/** A slow name server does not hold up the delivery of documents for longer. */
const patienceMilliseconds = 2000;

/**
 * Resolves the origins and vendors of challenges that are given by name, by the system's own rules (hosts file included), and tells nginx when
 * their addresses change. A name that cannot be resolved keeps its last addresses, and holds up no other.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #namesByDocument = new Map<string, string[]>();
  #addresses = new Map<string, string[]>();
  readonly #failing = new Set<string>();
  readonly #underWay = new Map<string, Promise<void>>();
  #unused: ReadonlySet<string> = new Set();
  #told = '';
  #telling: Promise<void> = Promise.resolve();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    try {
      const stored = resolvedFile.parse(JSON.parse(await readFile(this.#options.path, 'utf8')));
      this.#addresses = new Map(Object.entries(stored));
    } catch {
      // None yet, or none that can be read: every name is resolved anew.
    }
  }

  /** Keeps count of the names in use; a document without a body uses none. */
  track(document: string, body: string | undefined): void {
    const names = body === undefined ? [] : originNames(body);
    if (names.length > 0) this.#namesByDocument.set(document, names);
    else this.#namesByDocument.delete(document);
  }

  /** The addresses of an origin: itself, or those its name had last. */
  addressesOf(address: string): readonly string[] {
    return isIP(address) === 0 ? (this.#addresses.get(address) ?? []) : [address];
  }

  /** Resolves names of documents that are about to be served, as far as they are new. */
  async resolveNew(bodies: readonly string[]): Promise<void> {
    const names = [...new Set(bodies.flatMap(originNames))].filter((name) => !this.#addresses.has(name));
    if (names.length === 0) return;
    const patience = new AbortController();
    // What takes longer is told when it comes.
    const work = this.#lookUp(names).catch((error: unknown) => this.#complain(error));
    await Promise.race([work, pause(patienceMilliseconds, patience.signal)]);
    patience.abort();
  }

  /** Resolves every name again, every 30 seconds, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.refresh();
      } catch (error) {
        this.#complain(error);
      }
      await pause((this.#options.intervalSeconds ?? 30) * 1000, signal);
    }
  }

  async refresh(): Promise<void> {
    const used = new Set([...this.#namesByDocument.values()].flat());
    this.#forgetUnused(used);
    await this.#lookUp([...used]);
  }

  /** Only at the second time: a name may belong to a document that is just being applied. */
  #forgetUnused(used: ReadonlySet<string>): void {
    const unused = [...this.#addresses.keys(), ...this.#failing].filter((name) => !used.has(name));
    for (const name of unused)
      if (this.#unused.has(name)) {
        this.#addresses.delete(name);
        this.#failing.delete(name);
      }
    this.#unused = new Set(unused);
  }

  /** A nginx that has just started is told again. */
  async tellAgain(): Promise<void> {
    this.#told = '';
    await this.#tell();
  }

  /** Names that failed last time are looked for last. Settles when nginx knows what was found. */
  async #lookUp(names: string[]): Promise<void> {
    const lookUp = await NameLookUp.start(this.#options.nameServers);
    const queue = names.toSorted(
      (one, other) => Number(this.#failing.has(one)) - Number(this.#failing.has(other)),
    );
    const work = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) await this.#once(name, lookUp);
    };
    const over = new AbortController();
    const all = Promise.all(Array.from({ length: lookupsAtOnce }, work)).finally(() => over.abort());
    do {
      await pause(tellMilliseconds, over.signal);
      await this.#tell();
    } while (!over.signal.aborted);
    await all;
  }

  /** One that is being looked up already is waited for. */
  async #once(name: string, lookUp: NameLookUp): Promise<void> {
    const work = this.#underWay.get(name) ?? this.#lookUpOne(name, lookUp);
    this.#underWay.set(name, work);
    await work.finally(() => this.#underWay.delete(name));
  }

  async #lookUpOne(name: string, lookUp: NameLookUp): Promise<void> {
    try {
      this.#addresses.set(name, await lookUp.addressesOf(name));
      if (this.#failing.delete(name)) this.#options.logger.info({ name }, 'an origin name resolves again');
    } catch (error) {
      if (this.#failing.has(name)) return;
      this.#failing.add(name);
      const kept = this.#addresses.get(name) ?? [];
      this.#options.logger.warn(
        { name, kept, err: error },
        'an origin name does not resolve; its last addresses stay',
      );
    }
  }

  #complain(error: unknown): void {
    this.#options.logger.warn(
      { err: error },
      'resolved addresses could not be handed to nginx; they will be again',
    );
  }

  /** One at a time: those who come while nginx is being told are told after it. */
  #tell(): Promise<void> {
    const told = this.#telling.then(() => this.#tellNow());
    this.#telling = told.catch(() => undefined);
    return told;
  }

  async #tellNow(): Promise<void> {
    const addresses = Object.fromEntries(
      [...this.#addresses].sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    const text = JSON.stringify(addresses);
    if (text === this.#told) return;
    await replaceFile(this.#options.path, text);
    await this.#options.control.putResolved(addresses);
    this.#told = text;
    this.#options.onChange?.();
  }
}

/** The names among those whom a document has asked; addresses need no resolving. */
export function originNames(body: string): string[] {
  return [...new Set(askedIn(JSON.parse(body)))].filter((address) => isIP(address) === 0);
}

function askedIn(document: unknown): string[] {
  const site = withOrigins.safeParse(document).data;
  if (site) return site.origin_server_config.origins.map(({ address }) => address);
  const url = URL.parse(withVendor.safeParse(document).data?.verify_url ?? '');
  return url ? [url.hostname] : [];
}
