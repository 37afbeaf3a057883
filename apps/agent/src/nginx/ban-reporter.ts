import { readFile } from 'node:fs/promises';
import { madeBan, type MadeBan } from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { Backoff, pause } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import { Wake } from '../delivery/wake.ts';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl, OwnBan } from './edge-control.ts';

export interface BanReporterOptions {
  control: EdgeControl;
  controlPlane: ControlPlane;
  /** `bans-made.json`: what the control plane does not know yet. */
  path: string;
  /** Addresses of this node and of its control plane. */
  ours: () => readonly string[];
  logger: Logger;
}

const untoldBan = z.object({ ban: madeBan, until: z.number() });
const untoldFile = z.array(untoldBan);
type UntoldBan = z.infer<typeof untoldBan>;

const lookMilliseconds = 250;
const perCall = 500;
/** The oldest go first; they stand at this node all the same. */
const untoldMax = 5000;

/**
 * Tells the control plane whom rules had turned away here, so that all nodes do. What it does not know yet lies on disk: neither
 * the end of the agent nor of nginx loses it.
 */
export class BanReporter {
  readonly #options: BanReporterOptions;
  readonly #wake = new Wake();
  #untold: UntoldBan[] = [];
  #instanceId = '';
  #told = 0;
  #isFailing = false;
  #stored: Promise<void> = Promise.resolve();
  #toldOurs = '';

  constructor(options: BanReporterOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    try {
      this.#untold = untoldFile.parse(JSON.parse(await readFile(this.#options.path, 'utf8')));
    } catch {
      // None yet, or none that can be read.
    }
    if (this.#untold.length > 0) this.#wake.call();
  }

  /** A nginx that has just started keeps them up. */
  async tellAgain(): Promise<void> {
    const now = Date.now() / 1000;
    const own = this.#untold.filter(({ until }) => until > now).map(ownBanOf);
    if (own.length > 0) await this.#options.control.putBans(own);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#collect(signal), this.#report(signal)]);
  }

  async #collect(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#take();
        this.#isFailing = false;
      } catch (error) {
        // While nginx starts, too.
        if (!this.#isFailing) this.#options.logger.debug({ err: error }, 'bans: nginx does not answer');
        this.#isFailing = true;
      }
      await pause(lookMilliseconds, signal);
    }
  }

  /** nginx forgets them with the next question, when they lie on disk. */
  async #take(): Promise<void> {
    const { instance_id, last, made } = await this.#options.control.madeBans(
      this.#instanceId,
      this.#told,
      perCall,
    );
    if (made.length > 0) {
      const now = Date.now() / 1000;
      const added = made.map(({ made_at: madeAt, ...ban }) => ({
        ban,
        until: Math.ceil((madeAt ?? now) + ban.seconds),
      }));
      this.#untold = [...this.#untold, ...added].slice(-untoldMax);
      await this.#store();
      this.#wake.call();
    }
    this.#instanceId = instance_id;
    this.#told = last;
  }

  async #report(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      const some = this.#untold.slice(0, perCall);
      if (some.length === 0) {
        await this.#wake.wait(signal);
        continue;
      }
      try {
        await this.#options.controlPlane.reportBans(some.map(agedBan));
        this.#untold = this.#untold.filter((each) => !some.includes(each));
        await this.#store();
        backoff.reset();
      } catch (error) {
        if (!signal.aborted) this.#options.logger.warn({ err: error }, 'bans not reported; trying again');
        await pause(backoff.nextMilliseconds(), signal);
      }
    }
  }

  /** One after another: both loops write it. */
  #store(): Promise<void> {
    this.#stored = this.#stored
      .catch(() => undefined)
      .then(() => replaceFile(this.#options.path, JSON.stringify(this.#untold)));
    return this.#stored;
  }

  /** For whom no ban is: told where nginx has not heard it. */
  async tellOurs(instanceId: string): Promise<void> {
    const addresses = this.#options.ours();
    const told = `${instanceId} ${addresses.join(' ')}`;
    if (told === this.#toldOurs) return;
    await this.#options.control.putOurAddresses(addresses);
    this.#toldOurs = told;
  }
}

function agedBan({ ban, until }: UntoldBan): MadeBan {
  const left = until - Date.now() / 1000;
  return { ...ban, age_seconds: Math.max(0, Math.floor(ban.seconds - left)) };
}

function ownBanOf({ ban, until }: UntoldBan): OwnBan {
  const { address, scope } = ban;
  const target = { site: ban.site_id, client: ban.client_id, platform: 0 }[scope];
  return { address, scope, target, id: 0, until, segment: 0 };
}
