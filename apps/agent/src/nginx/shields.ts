import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { shieldGroup, type ShieldGroup, type ShieldOrder } from '@breakwater/contract';
import { makeCertificateRequest } from '@breakwater/edge/process/certificate-request';
import type { EdgeProcess } from '@breakwater/edge/process/edge-process';
import type { ShieldIdentity } from '@breakwater/edge/process/shield-files';
import type { Logger } from 'pino';
import * as z from 'zod';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl } from './edge-control.ts';

export interface ShieldKeeperOptions {
  /** What this node had last: its certificate with the key, and its groups. */
  path: string;
  /** Where other nodes ask this one, if it is a shield. */
  port: number;
  edge: () => EdgeProcess;
  control: EdgeControl;
  /** Has a key certified; answers with the certificate and the authority's. */
  certify: (request: string) => Promise<{ certificate: string; authority: string }>;
  logger: Logger;
}

const identity = z.object({ authority: z.string(), certificate: z.string(), key: z.string() });
const heldFile = z.object({ identity: identity.optional(), groups: z.array(shieldGroup) });
type Held = z.infer<typeof heldFile>;

const nothing: Held = { groups: [] };

/**
 * What nodes and their shields know each other by, and of each other. The key is made here and goes nowhere; its certificate is
 * renewed when half of its life is over. Without the control plane all stays as it was.
 */
export class ShieldKeeper {
  readonly #options: ShieldKeeperOptions;
  #held: Held = nothing;
  /** The newest certificate, with its key. */
  #identity: Held['identity'];
  /** What nginx was given, as text. */
  #given = '';
  #isFailing = false;

  constructor(options: ShieldKeeperOptions) {
    this.#options = options;
  }

  get port(): number {
    return this.#options.port;
  }

  /** nginx listens for other nodes. */
  get isListening(): boolean {
    return this.#given !== '' && listens(this.#held);
  }

  /** What `load` is to find, before nginx starts. */
  async layOut(order: ShieldOrder | undefined): Promise<void> {
    await this.load();
    if (order !== undefined) await this.#write(await this.#next(order));
  }

  /** What nginx is to start with. */
  async load(): Promise<ShieldIdentity | undefined> {
    const text = await readFile(this.#options.path, 'utf8').catch(() => '{}');
    this.#held = heldFile.safeParse(parseJson(text)).data ?? nothing;
    this.#identity = this.#held.identity;
    return this.#identityOf(this.#held);
  }

  /** A nginx that has just started knows of none. */
  async tellAgain(): Promise<void> {
    await this.#options.control.putShields(this.#held.groups);
    this.#given = textOf(this.#held);
  }

  /** Absent where the control plane is older: then all stays. What fails is tried again with the next report. */
  async keep(order: ShieldOrder | undefined): Promise<void> {
    if (order === undefined) return;
    try {
      const next = await this.#next(order);
      if (textOf(next) !== this.#given) await this.#give(next);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.logger.warn({ err: error }, 'shields are as before; trying on');
      this.#isFailing = true;
    }
  }

  async #next({ authority, groups }: ShieldOrder): Promise<Held> {
    if (authority === undefined) return nothing;
    const own = this.#identity;
    if (own?.authority === authority && !isHalfOver(own.certificate)) return { identity: own, groups };
    const { request, key } = makeCertificateRequest();
    this.#identity = { ...(await this.#options.certify(request)), key };
    return { identity: this.#identity, groups };
  }

  /** nginx asks shields only while it has what to ask them with. */
  async #give(next: Held): Promise<void> {
    const { control, edge } = this.#options;
    if (next.identity === undefined) await control.putShields([]);
    await edge().useShield(this.#identityOf(next));
    await control.putShields(next.groups);
    await this.#write(next);
    this.#held = next;
    this.#given = textOf(next);
  }

  #write(held: Held): Promise<void> {
    return replaceFile(this.#options.path, JSON.stringify(held), 0o600);
  }

  #identityOf(held: Held): ShieldIdentity | undefined {
    if (held.identity === undefined) return undefined;
    return { ...held.identity, ...(listens(held) ? { port: this.#options.port } : {}) };
  }
}

const isShield = ({ is_shield }: ShieldGroup): boolean => is_shield;
const listens = ({ identity: own, groups }: Held): boolean => own !== undefined && groups.some(isShield);
const textOf = (held: Held): string => JSON.stringify(held);

/** By this machine's clock, which is told when it is off by more than an hour. */
function isHalfOver(pem: string): boolean {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return Date.now() > (validFromDate.getTime() + validToDate.getTime()) / 2;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
