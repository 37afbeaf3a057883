import {
  healthRowsMax,
  type GoneOrigin,
  type HealthReport,
  type OriginEvent,
  type OriginHealthState,
  type OriginReport,
} from '@breakwater/contract';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { ProbeListener } from './probe.ts';
import type { Watched } from './probe-check.ts';
import type { Target } from './probe-target.ts';
import { Wake } from '../delivery/wake.ts';

export interface HealthReporterOptions {
  controlPlane: Pick<ControlPlane, 'reportHealth'>;
  logger: Logger;
}

interface Known {
  target: Target;
  watched: Watched;
  state: OriginHealthState;
  toldAt: number;
}

/** Changes that wait while the control plane is away; beyond that the oldest are given up. */
const eventsMax = 5000;
const pauseMilliseconds = 5000;
/** What stays is said again every 10 s; of more than 200 origins 20 a second, but each at least every 2 minutes. */
const repeatSeconds = { min: 10, max: 120, perOrigin: 1 / 20 };

/**
 * Says to the control plane how origins are: what changed at once, what stays once in a while, at most 500 of each in a
 * message and a message every few seconds, however many there are.
 */
export class HealthReporter implements ProbeListener {
  readonly #options: HealthReporterOptions;
  readonly #wake = new Wake();
  /** By place, those told longest ago first. */
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<string>();
  readonly #gone = new Map<string, GoneOrigin>();
  #events: OriginEvent[] = [];
  #isFirst = true;

  constructor(options: HealthReporterOptions) {
    this.#options = options;
  }

  judged(target: Target, watched: Watched): void {
    const { place } = watched;
    const { state } = target.health;
    if (state === 'unknown') return;
    this.#gone.delete(place);
    const known = this.#known.get(place);
    // That an origin is well when it is first checked is nothing that happened.
    const before = known?.state ?? 'up';
    if (known) Object.assign(known, { target, watched, state });
    else this.#known.set(place, { target, watched, state, toldAt: 0 });
    if (known && before === state) return;
    if (before !== state) this.#note(target, watched, state);
    this.#changed.add(place);
    this.#wake.call();
  }

  gone(watched: Watched): void {
    const { place, ...gone } = watched;
    this.#changed.delete(place);
    if (this.#known.delete(place)) this.#gone.set(place, gone);
    this.#wake.call();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    let failing = false;
    while (!signal.aborted) {
      try {
        while (await this.#report());
        backoff.reset();
        failing = false;
        await this.#wake.wait(signal, pauseMilliseconds);
      } catch (error) {
        if (!failing && !signal.aborted)
          this.#options.logger.warn({ err: error }, 'state of origins not reported; trying on');
        failing = true;
        await backoff.wait(signal);
      }
    }
  }

  #note({ since, error }: Target, { place: _place, ...origin }: Watched, state: OriginHealthState): void {
    this.#events.push({ ...origin, state, at: since.toISOString(), ...(error ? { error } : {}) });
    if (this.#events.length > eventsMax) this.#events.shift();
  }

  /** Sends one message, if there is anything to say. True: there is more that should not wait. */
  async #report(): Promise<boolean> {
    const places = this.#placesToTell();
    const events = this.#events.slice(0, healthRowsMax);
    const gone = [...this.#gone].slice(0, healthRowsMax);
    if (!this.#isFirst && places.length + events.length + gone.length === 0) return false;
    const report: HealthReport = {
      reset: this.#isFirst,
      origins: places.flatMap((place) => reportOf(this.#known.get(place)) ?? []),
      events,
      gone: gone.map(([, origin]) => origin),
    };
    for (const place of places) this.#changed.delete(place);
    try {
      await this.#options.controlPlane.reportHealth(report);
    } catch (error) {
      for (const place of places) if (this.#known.has(place)) this.#changed.add(place);
      throw error;
    }
    this.#isFirst = false;
    // What came in the meantime stands behind what was sent.
    const sent = new Set(events);
    this.#events = this.#events.filter((event) => !sent.has(event));
    for (const [place, origin] of gone) if (this.#gone.get(place) === origin) this.#gone.delete(place);
    for (const place of places) this.#told(place);
    return this.#changed.size + this.#events.length + this.#gone.size > 0;
  }

  /** What changed, then what was told longest ago. */
  #placesToTell(): string[] {
    const places = [...this.#changed].slice(0, healthRowsMax);
    const { min, max, perOrigin } = repeatSeconds;
    const pause = Math.min(max, Math.max(min, this.#known.size * perOrigin));
    const before = performance.now() - pause * 1000;
    for (const [place, { toldAt }] of this.#known) {
      if (places.length >= healthRowsMax || toldAt > before) break;
      if (!this.#changed.has(place)) places.push(place);
    }
    return places;
  }

  /** Moves it to the end of those that are told in turn. */
  #told(place: string): void {
    const known = this.#known.get(place);
    if (!known) return;
    this.#known.delete(place);
    this.#known.set(place, { ...known, toldAt: performance.now() });
  }
}

function reportOf(known: Known | undefined): OriginReport | undefined {
  if (known === undefined) return undefined;
  const { state, target } = known;
  const { place: _place, ...origin } = known.watched;
  const { checkedAt = target.since } = target;
  return {
    ...origin,
    state,
    since: target.since.toISOString(),
    checked_at: checkedAt.toISOString(),
    latency_ms: target.latencyMilliseconds,
    ...(target.error ? { error: target.error } : {}),
  };
}
