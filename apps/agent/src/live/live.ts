import {
  liveWatchSeconds,
  noLiveFigures,
  type LiveFigures,
  type LiveReport,
  type LiveWatch,
} from '@breakwater/contract';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';
import { LogTail } from '../logs/log-tail.ts';
import { Wake } from '../delivery/wake.ts';

export interface LiveCounterOptions {
  controlPlane: ControlPlane;
  accessLogPath: string;
  control: Pick<EdgeControl, 'state'>;
  logger: Logger;
}

/** All that servers may ask for together; more is not counted. */
const watchesMax = 200;
/** A node that was stopped in between tells of no more than these. */
const secondsMax = 10;

const line = z.object({
  time: z.string(),
  site_id: z.int(),
  client_id: z.int(),
  order_id: z.int(),
  status: z.int(),
  bytes_sent: z.int(),
  cache_status: z.string(),
  origin_addr: z.string(),
  origin_bytes: z.int(),
  decision: z.string().default(''),
});
export type CountedLine = z.infer<typeof line>;

const hits: readonly string[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'];

/**
 * Counts what is watched by the second, from the lines that nginx writes anyway: its requests pay nothing for it. Ends by
 * itself when nobody asks any more.
 */
export class LiveCounter {
  readonly #options: LiveCounterOptions;
  readonly #wake = new Wake();
  readonly #watches = new Map<string, { watch: LiveWatch; until: number }>();
  /** Seconds that are not told of yet, by their time. */
  readonly #seconds = new Map<number, Record<string, LiveFigures>>();
  #tail: LogTail | undefined;
  /** The next second to tell of. */
  #next = 0;
  /** From here on all is known. */
  #from = 0;
  #failing = false;

  constructor(options: LiveCounterOptions) {
    this.#options = options;
  }

  /** Counts these for a while. */
  watch(watches: readonly LiveWatch[]): void {
    const until = performance.now() + liveWatchSeconds * 1000;
    for (const watch of watches)
      if (this.#watches.has(watch.key) || this.#watches.size < watchesMax)
        this.#watches.set(watch.key, { watch, until });
    this.#wake.call();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#watches.size === 0) {
        await this.#rest();
        await this.#wake.wait(signal);
        continue;
      }
      await this.#count().catch((error: unknown) => this.#say(error, signal));
      // Shortly after a second is over.
      await pause(1020 - (this.#options.controlPlane.clock.now() % 1000), signal);
    }
    await this.#rest();
  }

  async #rest(): Promise<void> {
    await this.#tail?.close();
    this.#tail = undefined;
    this.#seconds.clear();
    this.#next = 0;
  }

  async #count(): Promise<void> {
    const { controlPlane, accessLogPath } = this.#options;
    for (const [key, { until }] of this.#watches) if (until < performance.now()) this.#watches.delete(key);
    const now = Math.floor(controlPlane.clock.now() / 1000);
    this.#tail ??= new LogTail(accessLogPath);
    const { lines, passedOver } = await this.#tail.read();
    // What was before is not known, of what was passed over only a part, and a clock that was set back begins anew.
    if (this.#next === 0 || passedOver || this.#next > now + secondsMax) {
      this.#seconds.clear();
      this.#next = passedOver ? now : now + 1;
      this.#from = this.#next;
    }
    this.#next = Math.max(this.#next, now - secondsMax);
    this.#add(lines, now);
    await this.#tell(now);
  }

  #add(lines: readonly string[], now: number): void {
    const { aheadMilliseconds } = this.#options.controlPlane.clock;
    const watches = [...this.#watches.values()].map(({ watch }) => watch);
    for (const text of lines) {
      const { data } = line.safeParse(parseJson(text));
      if (!data) continue;
      const time = Math.floor((Date.parse(data.time) - aheadMilliseconds) / 1000);
      if (Number.isNaN(time) || time < this.#from) continue;
      // A line that is late counts in the next second, so that sums are whole; one of a clock that was ahead counts now.
      const counted = Math.max(Math.min(time, now), this.#next);
      const figures = this.#seconds.get(counted) ?? {};
      this.#seconds.set(counted, figures);
      for (const watch of watches)
        if (concerns(watch, data)) figures[watch.key] = added(figures[watch.key] ?? noLiveFigures, data);
    }
  }

  /** Tells of the seconds that are over, of quiet ones too. */
  async #tell(now: number): Promise<void> {
    const { controlPlane, control } = this.#options;
    if (this.#next >= now || this.#watches.size === 0) return;
    const connections = (await control.state().catch(() => undefined))?.connections ?? 0;
    const seconds: LiveReport['seconds'] = [];
    for (; this.#next < now; this.#next += 1) {
      const counted = this.#seconds.get(this.#next);
      this.#seconds.delete(this.#next);
      const keys = [...this.#watches.keys()];
      const figures = Object.fromEntries(keys.map((key) => [key, counted?.[key] ?? noLiveFigures]));
      seconds.push({ time: this.#next, connections, figures });
    }
    await controlPlane.reportLive({ seconds });
    this.#failing = false;
  }

  #say(error: unknown, signal: AbortSignal): void {
    if (!this.#failing && !signal.aborted)
      this.#options.logger.warn({ err: error }, 'live figures were not told; trying on');
    this.#failing = true;
  }
}

const concerns = (watch: LiveWatch, { site_id, order_id, client_id }: CountedLine): boolean =>
  (watch.site_id ?? site_id) === site_id &&
  (watch.order_id ?? order_id) === order_id &&
  (watch.client_id ?? client_id) === client_id;

function added(sum: LiveFigures, { status, bytes_sent: bytes, ...one }: CountedLine): LiveFigures {
  const hit = hits.includes(one.cache_status);
  const hundreds = Math.floor(status / 100);
  return {
    requests: sum.requests + 1,
    bytes: sum.bytes + bytes,
    hits: sum.hits + Number(hit),
    hit_bytes: sum.hit_bytes + (hit ? bytes : 0),
    origin_requests: sum.origin_requests + Number(one.origin_addr !== ''),
    origin_bytes: sum.origin_bytes + one.origin_bytes,
    refused: sum.refused + Number(one.decision !== ''),
    status_2xx: sum.status_2xx + Number(hundreds === 2),
    status_3xx: sum.status_3xx + Number(hundreds === 3),
    status_4xx: sum.status_4xx + Number(hundreds === 4),
    status_5xx: sum.status_5xx + Number(hundreds === 5),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
