import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { DocumentEnvelope } from '@breakwater/contract';
import { ConfigurationRefused, type ExtraPorts } from '@breakwater/edge/process/edge-process';
import type { Logger } from 'pino';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';

export interface PortKeeperOptions {
  /** What was open last: nginx starts with it, before the documents are read. */
  path: string;
  /** The node's own, where every site answers. */
  httpPorts: readonly number[];
  httpsPorts: readonly number[];
  /** Absent: all addresses. */
  listenAddress?: string;
  /** Makes nginx listen at these and no others beside its own; settles once it does, fails when it does not. */
  listen: (ports: ExtraPorts) => Promise<void>;
  logger: Logger;
}

const portsFile = z.object({ http: z.array(z.int()), https: z.array(z.int()) });
const withPorts = z.object({
  listen_port: z.object({ http_ports: z.array(z.int()), https_ports: z.array(z.int()) }),
});
const none: ExtraPorts = { http: [], https: [] };

/**
 * Keeps open the ports that sites ask for beside the node's. A port that cannot be had makes the document that brings it
 * be refused, and no other; one that no site asks for any more is closed. Calls come one at a time.
 */
export class PortKeeper {
  readonly #options: PortKeeperOptions;
  readonly #wanted = new Map<string, ExtraPorts>();
  #open: ExtraPorts = none;

  constructor(options: PortKeeperOptions) {
    this.#options = options;
  }

  get open(): ExtraPorts {
    return this.#open;
  }

  /**
   * What nginx is to start with: what was open last, less what another program has taken meanwhile. `held`: those that the
   * nginx of before holds, which is gone on with.
   */
  async load(held: ExtraPorts = none): Promise<ExtraPorts> {
    const text = await readFile(this.#options.path, 'utf8').catch(() => '{}');
    const { data } = portsFile.safeParse(JSON.parse(text || '{}'));
    this.#open = none;
    if (data !== undefined)
      this.#open = {
        http: await this.#free(data.http, held),
        https: await this.#free(data.https, held),
      };
    return this.#open;
  }

  /** Keeps count of the ports in use; a document without a body uses none. */
  track(document: string, body: string | undefined): void {
    const ports = body === undefined ? none : this.#portsOf(body);
    if (ports.http.length + ports.https.length > 0) this.#wanted.set(document, ports);
    else this.#wanted.delete(document);
  }

  /** Opens what these documents bring. Answers with why, for each that has to be refused. */
  async prepare(documents: readonly DocumentEnvelope[]): Promise<Map<DocumentEnvelope, string>> {
    const refused = new Map<DocumentEnvelope, string>();
    const brought = documents.map((document) => ({ document, ports: this.#broughtBy(document) }));
    if (brought.every(({ ports }) => covers(this.#open, ports))) return refused;
    const replaced = new Set(documents.map((document) => `${document.kind}/${document.key}`));
    let next = none;
    for (const [name, ports] of this.#wanted) if (!replaced.has(name)) next = union(next, ports);
    for (const { document, ports } of brought) {
      const reason = await this.#problemOf(ports, next);
      if (reason === undefined) next = union(next, ports);
      else refused.set(document, reason);
    }
    try {
      // What is to be replaced stays in service until it is.
      await this.#listen(union(next, without(this.#open, next)));
    } catch (error) {
      if (!(error instanceof ConfigurationRefused)) throw error;
      for (const { document, ports } of brought)
        if (!covers(this.#open, ports)) refused.set(document, error.message);
    }
    return refused;
  }

  /** Closes what nobody uses, and tries again what could not be opened. */
  async settle(): Promise<void> {
    let next = none;
    for (const [name, ports] of this.#wanted) {
      if (covers(next, ports)) continue;
      const reason = await this.#problemOf(ports, next);
      if (reason === undefined) next = union(next, ports);
      else this.#options.logger.error({ document: name, reason }, 'a site lacks one of its ports');
    }
    try {
      await this.#listen(next);
    } catch (error) {
      if (!(error instanceof ConfigurationRefused)) throw error;
      this.#options.logger.error({ err: error }, 'ports of sites stay as they were');
    }
  }

  async #listen(next: ExtraPorts): Promise<void> {
    if (covers(this.#open, next) && covers(next, this.#open)) return;
    const sorted = { http: ascending(next.http), https: ascending(next.https) };
    await this.#options.listen(sorted);
    this.#open = sorted;
    await replaceFile(this.#options.path, JSON.stringify(sorted));
  }

  /** Why these ports cannot be had beside those that others have. */
  async #problemOf(ports: ExtraPorts, taken: ExtraPorts): Promise<string | undefined> {
    const { httpPorts, httpsPorts } = this.#options;
    for (const port of ports.http)
      if (httpsPorts.includes(port) || taken.https.includes(port))
        return `port ${port} is HTTPS on this node`;
    for (const port of ports.https)
      if (httpPorts.includes(port) || taken.http.includes(port)) return `port ${port} is HTTP on this node`;
    for (const port of [...ports.http, ...ports.https]) {
      if (this.#open.http.includes(port) || this.#open.https.includes(port)) continue;
      const reason = await this.#bindProblem(port);
      if (reason !== undefined) return `port ${port} cannot be opened on this node: ${reason}`;
    }
    return undefined;
  }

  async #free(ports: number[], held: ExtraPorts): Promise<number[]> {
    const free: number[] = [];
    for (const port of ports) {
      if (this.#isOwn(port)) continue;
      const isHeld = held.http.includes(port) || held.https.includes(port);
      const reason = isHeld ? undefined : await this.#bindProblem(port);
      if (reason === undefined) free.push(port);
      else this.#options.logger.error({ port, reason }, 'a port of some sites cannot be opened');
    }
    return free;
  }

  /** Tried for a moment: nginx itself tells of a port in use only when it reloads. */
  #bindProblem(port: number): Promise<string | undefined> {
    return new Promise((settle) => {
      const server = createServer();
      server.once('error', (error: NodeJS.ErrnoException) =>
        settle(error.code === 'EADDRINUSE' ? 'another program uses it' : error.message),
      );
      server.listen(port, this.#options.listenAddress, () => server.close(() => settle(undefined)));
    });
  }

  #broughtBy({ body }: DocumentEnvelope): ExtraPorts {
    return body === undefined ? none : this.#portsOf(body);
  }

  #isOwn(port: number): boolean {
    return this.#options.httpPorts.includes(port) || this.#options.httpsPorts.includes(port);
  }

  /** Those a document asks for; where the node answers anyway, nothing is to be opened. */
  #portsOf(body: string): ExtraPorts {
    if (!body.includes('"listen_port"')) return none;
    const { data } = withPorts.safeParse(JSON.parse(body));
    if (data === undefined) return none;
    const { http_ports: http, https_ports: https } = data.listen_port;
    return {
      http: http.filter((port) => !this.#options.httpPorts.includes(port)),
      https: https.filter((port) => !this.#options.httpsPorts.includes(port)),
    };
  }
}

const ascending = (ports: readonly number[]): number[] => [...ports].sort((one, other) => one - other);

const union = (one: ExtraPorts, other: ExtraPorts): ExtraPorts => ({
  http: [...new Set([...one.http, ...other.http])],
  https: [...new Set([...one.https, ...other.https])],
});

/** Those of the first whose numbers the second has for neither protocol. */
function without(ports: ExtraPorts, others: ExtraPorts): ExtraPorts {
  const isFree = (port: number) => !others.http.includes(port) && !others.https.includes(port);
  return { http: ports.http.filter(isFree), https: ports.https.filter(isFree) };
}

const covers = (all: ExtraPorts, some: ExtraPorts): boolean =>
  some.http.every((port) => all.http.includes(port)) && some.https.every((port) => all.https.includes(port));
