import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { searchRobots, type SearchRobot } from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause } from '../backoff.ts';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl, RobotVerdict } from '../nginx/edge-control.ts';
import { findRobot } from './robot-dns.ts';
import { Wake } from '../delivery/wake.ts';

export interface RobotCheckerOptions {
  control: EdgeControl;
  /** `robots.json`: what is proven, for a nginx that starts. */
  path: string;
  logger: Logger;
  /** Name servers, `127.0.0.1:53`; the machine's own when absent. */
  servers?: readonly string[];
}

const provenFile = z.record(z.string(), z.object({ robot: z.enum(searchRobots), until: z.number() }));

const provenSeconds = 86_400;
const nobodysSeconds = 3600;
const provenMax = 5000;
/** No more addresses are asked about in a round, and no round begins sooner, whatever strangers send. */
const perRound = 40;
const roundMilliseconds = 500;
const lookupsAtOnce = 8;
const patience = { timeout: 2000, tries: 2 };
const idleMilliseconds = 60_000;

/**
 * Asks DNS whose robots have the addresses that nginx wants to know about, and tells it. nginx holds that in memory; what
 * is proven lies on disk besides, so that a node that restarts knows its robots.
 */
export class RobotChecker {
  readonly #options: RobotCheckerOptions;
  readonly #resolver = new Resolver(patience);
  /** Documents whose conditions ask. Without any nothing is done. */
  readonly #asking = new Set<string>();
  readonly #wake = new Wake();
  #proven = new Map<string, { robot: SearchRobot; until: number }>();
  #isFailing = false;

  constructor(options: RobotCheckerOptions) {
    this.#options = options;
    if (options.servers !== undefined) this.#resolver.setServers(options.servers);
  }

  async load(): Promise<void> {
    try {
      const stored = provenFile.parse(JSON.parse(await readFile(this.#options.path, 'utf8')));
      this.#proven = new Map(Object.entries(stored).filter(([, { until }]) => until > Date.now()));
    } catch {
      // None yet, or none that can be read: every address is asked about anew.
    }
  }

  /** Addresses that are proven to be bots' now. */
  get proven(): readonly string[] {
    const now = Date.now();
    return [...this.#proven].flatMap(([address, { until }]) => (until > now ? [address] : []));
  }

  track(document: string, body: string | undefined): void {
    const asks = body !== undefined && /"(?:verified|false)_robot"|"never_robots":true/.test(body);
    if (!asks) {
      this.#asking.delete(document);
      return;
    }
    this.#asking.add(document);
    this.#wake.call();
  }

  /** A nginx that has just started is told again. */
  async tellAgain(): Promise<void> {
    const now = Date.now();
    const verdicts = [...this.#proven].flatMap(([address, { robot, until }]): RobotVerdict[] =>
      until > now ? [{ address, robot, seconds: (until - now) / 1000 }] : [],
    );
    if (verdicts.length > 0) await this.#options.control.putRobots(verdicts);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#asking.size === 0) await this.#wake.wait(signal, idleMilliseconds);
      else {
        try {
          await this.#round();
          this.#isFailing = false;
        } catch (error) {
          if (!this.#isFailing) this.#options.logger.warn({ err: error }, 'robots could not be checked');
          this.#isFailing = true;
        }
        await pause(roundMilliseconds, signal);
      }
    }
  }

  async #round(): Promise<void> {
    const { control } = this.#options;
    const queue = await control.askedRobots(perRound);
    if (queue.length === 0) return;
    const verdicts: RobotVerdict[] = [];
    const work = async () => {
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
        const verdict = await this.#verdictOn(address);
        if (verdict !== undefined) verdicts.push(verdict);
      }
    };
    await Promise.all(Array.from({ length: lookupsAtOnce }, work));
    if (verdicts.length === 0) return;
    await control.putRobots(verdicts);
    await this.#keep(verdicts);
  }

  /** Nothing where DNS gives no answer: nginx asks again after a minute. */
  async #verdictOn(address: string): Promise<RobotVerdict | undefined> {
    try {
      const robot = await findRobot(this.#resolver, address);
      return { address, robot, seconds: robot === 'none' ? nobodysSeconds : provenSeconds };
    } catch (error) {
      this.#options.logger.debug({ err: error, address }, 'DNS does not say whose robot this is');
      return undefined;
    }
  }

  async #keep(verdicts: readonly RobotVerdict[]): Promise<void> {
    const before = JSON.stringify(Object.fromEntries(this.#proven));
    for (const { address, robot, seconds } of verdicts) {
      // Put in anew, the latest stand last.
      this.#proven.delete(address);
      if (robot !== 'none') this.#proven.set(address, { robot, until: Date.now() + seconds * 1000 });
    }
    for (const address of this.#proven.keys()) {
      if (this.#proven.size <= provenMax) break;
      this.#proven.delete(address);
    }
    const text = JSON.stringify(Object.fromEntries(this.#proven));
    if (text !== before) await replaceFile(this.#options.path, text);
  }
}
