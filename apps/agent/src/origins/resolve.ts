import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause } from '../backoff.ts';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';

export interface ResolverOptions {
  control: EdgeControl;
  /** `resolved.json`, which nginx reads when it starts. */
  path: string;
  logger: Logger;
  intervalSeconds?: number;
  /** Called when names have come to other addresses. */
  onChange?: () => void;
}

const resolvedFile = z.record(z.string(), z.array(z.string()));
/** The part of a site document that names its origins; other documents have none. */
const withOrigins = z.object({
  origin_server_config: z.object({ origins: z.array(z.object({ address: z.string() })) }),
});

const lookupsAtOnce = 8;
/** A slow name server does not hold up the delivery of documents for longer. */
const patienceMilliseconds = 2000;

/**
 * Resolves the origins that are given by name, by the system's own rules (hosts file included), and tells nginx when
 * their addresses change. A name that cannot be resolved keeps its last addresses.
 */
export class Resolver {
  readonly #options: ResolverOptions;
  readonly #namesByDocument = new Map<string, string[]>();
  #addresses = new Map<string, string[]>();
  readonly #failing = new Set<string>();
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
    const work = this.#lookUp(names)
      .then(() => this.#tell())
      .catch((error: unknown) => this.#complain(error));
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
    await this.#tell();
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

  async #lookUp(names: string[]): Promise<void> {
    const queue = [...names];
    const work = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) await this.#lookUpOne(name);
    };
    await Promise.all(Array.from({ length: lookupsAtOnce }, work));
  }

  async #lookUpOne(name: string): Promise<void> {
    try {
      const found = await lookup(name, { all: true, order: 'ipv4first' });
      // Sorted, since many name servers rotate their answers: another order is no change.
      this.#addresses.set(name, found.map(({ address }) => address).sort());
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

/** The names among the origins of a site document; addresses need no resolving. */
export function originNames(body: string): string[] {
  const parsed = withOrigins.safeParse(JSON.parse(body));
  if (!parsed.success) return [];
  const { origins } = parsed.data.origin_server_config;
  return [...new Set(origins.map(({ address }) => address))].filter((address) => isIP(address) === 0);
}
