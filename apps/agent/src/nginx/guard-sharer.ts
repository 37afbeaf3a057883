import { guardSharesMax, type GuardShare } from '@breakwater/contract';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import { Wake } from '../delivery/wake.ts';
import type { EdgeControl } from './edge-control.ts';

interface Surroundings {
  control: Pick<EdgeControl, 'exchangeCounts'>;
  controlPlane: Pick<ControlPlane, 'reportGuardShares'>;
  logger: Logger;
}

const lookMilliseconds = 400;
/** What others said while nginx did not take it; the oldest go. */
const waitingMax = 1000;

const placeOf = ({ site_id: siteId, bucket, name }: GuardShare) => `${siteId} ${bucket} ${name}`;

/**
 * Tells the other nodes, through the control plane, whom nginx counted much, and nginx what they did. Where neither answers, nginx judges by
 * what it knows. Nothing is done where the node is the only one.
 */
export class GuardSharer {
  readonly #parts: Surroundings;
  readonly #wake = new Wake();
  #nodes = 1;
  /** By place: the last says all that those before did. */
  #heard = new Map<string, GuardShare>();
  #told = new Map<string, number>();
  #isFailing = false;

  constructor(parts: Surroundings) {
    this.#parts = parts;
  }

  /** How many nodes count together. */
  order(nodes: number): void {
    if (nodes !== this.#nodes) this.#wake.call();
    this.#nodes = nodes;
  }

  hear(shares: readonly GuardShare[]): void {
    for (const share of shares) {
      this.#heard.delete(placeOf(share));
      this.#heard.set(placeOf(share), share);
    }
    for (const place of this.#heard.keys()) {
      if (this.#heard.size <= waitingMax) break;
      this.#heard.delete(place);
    }
    this.#wake.call();
  }

  /** A server that has just started knows nothing. */
  tellAgain(): void {
    this.#told = new Map();
    this.#wake.call();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      let wait = this.#nodes > 1 ? lookMilliseconds : undefined;
      try {
        await this.#tell(await this.#exchange());
        this.#isFailing = false;
        backoff.reset();
      } catch (error) {
        // While nginx starts, too.
        if (!this.#isFailing && !signal.aborted)
          this.#parts.logger.debug({ err: error }, 'counts of CC guard not shared; trying on');
        this.#isFailing = true;
        wait = Math.max(lookMilliseconds, backoff.nextMilliseconds());
      }
      await this.#wake.wait(signal, wait);
    }
  }

  async #exchange(): Promise<GuardShare[]> {
    const heard = this.#heard;
    this.#heard = new Map();
    try {
      return await this.#parts.control.exchangeCounts(this.#nodes, [...heard.values()]);
    } catch (error) {
      this.#heard = new Map([...heard, ...this.#heard]);
      throw error;
    }
  }

  /** What is more than was told, the greatest parts first. */
  async #tell(own: readonly GuardShare[]): Promise<void> {
    const told = this.#told;
    const changed = own
      .filter((share) => share.count > (told.get(placeOf(share)) ?? 0))
      .slice(0, guardSharesMax);
    if (changed.length > 0) await this.#parts.controlPlane.reportGuardShares(changed);
    if (this.#told !== told) return;
    // What nginx no longer counts need not be known.
    const kept = own.flatMap((share): [string, number][] => {
      const count = told.get(placeOf(share));
      return count === undefined ? [] : [[placeOf(share), count]];
    });
    this.#told = new Map([
      ...kept,
      ...changed.map((share): [string, number] => [placeOf(share), share.count]),
    ]);
  }
}
