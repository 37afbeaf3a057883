import { isOut, nextHealth } from '@breakwater/policy/origin/health';
import type { Logger } from 'pino';
import { DueList, slotMilliseconds } from './due-list.ts';
import type { EdgeControl } from '../nginx/edge-control.ts';
import {
  readCheckedSite,
  wantedChecks,
  type CheckedSite,
  type ProbeResult,
  type Watched,
} from './probe-check.ts';
import { startProbe } from './probe-run.ts';
import { TargetSet, type Target } from './probe-target.ts';
import { Wake } from '../delivery/wake.ts';

export interface ProberOptions {
  control: Pick<EdgeControl, 'putHealth'>;
  /** The addresses of an origin: itself, or what its name resolves to. */
  addressesOf: (address: string) => readonly string[];
  logger: Logger;
  /** Checks under way at the same time. */
  concurrency?: number;
}

/** Hears what the control plane should know. */
export interface ProbeListener {
  /** An origin was judged; its state is not `unknown`. */
  judged(target: Target, watched: Watched): void;
  gone(watched: Watched): void;
}

/** A verdict ends when for so many intervals nothing was heard of it. */
const intervalsHeld = 3;
/** First checks that are begun in a second, so that a start with many sites is no burst. */
const firstChecksPerSecond = 200;
const retryMilliseconds = 1000;

/**
 * Checks the origins of all sites that want it: one loop for all, spread over each interval, so many at a time. What it
 * finds goes to nginx, which leaves out what is down, and to the listener.
 */
export class Prober {
  readonly #options: ProberOptions;
  readonly #listener: ProbeListener;
  readonly #targets = new TargetSet();
  readonly #sites = new Map<string, CheckedSite>();
  readonly #due = new DueList<Target>(performance.now());
  /** Due, and waiting for a place among those under way. */
  readonly #queue = new Set<Target>();
  readonly #running = new Map<Target, () => void>();
  readonly #wake = new Wake();
  #firstCheckAt = 0;
  /** Places that nginx was told to leave out. */
  readonly #out = new Set<string>();
  #news: { out: Map<string, number>; in: Set<string> } = { out: new Map(), in: new Set() };
  #tellAll = false;
  #telling = false;
  #tellAgainAt = 0;

  constructor(options: ProberOptions, listener: ProbeListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** Takes note of a document that is in service; one without a body is no longer. */
  track(document: string, body: string | undefined): void {
    const site = body === undefined ? undefined : readCheckedSite(body);
    if (site === undefined && !this.#sites.has(document)) return;
    if (site === undefined) this.#sites.delete(document);
    else this.#sites.set(document, site);
    this.#want(document, site);
  }

  /** Names have come to other addresses. */
  addressesChanged(): void {
    for (const [document, site] of this.#sites) this.#want(document, site);
  }

  /** A nginx that has just started knows of nothing that is out. */
  async tellAgain(): Promise<void> {
    this.#news = { out: new Map(), in: new Set() };
    await this.#options.control.putHealth(this.#whole());
    this.#tellAll = false;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = performance.now();
      for (const target of this.#due.take(now)) if (target.watched.size > 0) this.#queue.add(target);
      this.#startQueued();
      if (now >= this.#tellAgainAt) void this.#tell();
      const isIdle = this.#targets.size === 0 && this.#running.size === 0 && !this.#hasNews();
      await this.#wake.wait(signal, isIdle ? undefined : slotMilliseconds);
    }
    for (const stop of this.#running.values()) stop();
    this.#running.clear();
  }

  #want(document: string, site: CheckedSite | undefined): void {
    const wanted = site === undefined ? [] : wantedChecks(site, this.#options.addressesOf);
    const { added, removed } = this.#targets.set(document, wanted);
    for (const { target, watched, isNew } of added) {
      if (isNew) this.#schedule(target, this.#firstCheck(target));
      if (target.checkedAt !== undefined && target.health.state !== 'unknown')
        this.#listener.judged(target, watched);
      this.#judge(target, watched, target.judgement.interval_seconds);
    }
    for (const { watched } of removed) {
      this.#takeIn(watched.place);
      this.#listener.gone(watched);
    }
    this.#wake.call();
  }

  /** Few new ones are checked at once, many one after the other, and none later than its interval. */
  #firstCheck({ judgement }: Target): number {
    const now = performance.now();
    this.#firstCheckAt = Math.max(now, this.#firstCheckAt + 1000 / firstChecksPerSecond);
    return Math.min(this.#firstCheckAt, now + judgement.interval_seconds * 1000 * Math.random());
  }

  #schedule(target: Target, dueAt: number): void {
    target.dueAt = dueAt;
    this.#due.add(target, dueAt);
  }

  #startQueued(): void {
    const { concurrency = 256 } = this.#options;
    for (const target of this.#queue) {
      if (this.#running.size >= concurrency) return;
      this.#queue.delete(target);
      if (target.watched.size > 0) this.#start(target);
    }
  }

  #start(target: Target): void {
    const startedAt = performance.now();
    const gap = target.startedAt === undefined ? 0 : (startedAt - target.startedAt) / 1000;
    target.startedAt = startedAt;
    let isOver = false;
    const stop = startProbe(target.question, (result) => {
      isOver = true;
      this.#running.delete(target);
      if (result !== undefined) this.#take(target, result, gap);
      else this.#options.logger.warn('this machine cannot open more connections: an origin was not checked');
      const interval = target.judgement.interval_seconds * 1000;
      // A little uneven, so that what began together drifts apart.
      const next = target.dueAt + interval * (0.95 + Math.random() / 10);
      if (target.watched.size > 0) this.#schedule(target, Math.max(next, performance.now()));
      this.#startQueued();
    });
    if (!isOver) this.#running.set(target, stop);
  }

  #take(target: Target, result: ProbeResult, gap: number): void {
    const { judgement, health: before } = target;
    target.health = nextHealth(before, result.error === undefined, performance.now() / 1000, judgement);
    target.checkedAt = new Date();
    target.latencyMilliseconds = result.latencyMilliseconds;
    target.error = result.error;
    if (target.health.state !== before.state) target.since = target.checkedAt;
    for (const watched of target.watched.values()) {
      this.#judge(target, watched, Math.max(judgement.interval_seconds, gap));
      if (target.health.state !== 'unknown') this.#listener.judged(target, watched);
    }
  }

  #judge(target: Target, { place }: Watched, intervalSeconds: number): void {
    if (!isOut(target.health)) return this.#takeIn(place);
    this.#out.add(place);
    this.#news.in.delete(place);
    this.#news.out.set(place, intervalsHeld * intervalSeconds + target.question.timeout_seconds);
  }

  #takeIn(place: string): void {
    if (!this.#out.delete(place)) return;
    this.#news.out.delete(place);
    this.#news.in.add(place);
  }

  #hasNews(): boolean {
    return this.#tellAll || this.#news.out.size > 0 || this.#news.in.size > 0;
  }

  /** One message at a time. After one that was lost the next says everything. */
  async #tell(): Promise<void> {
    if (this.#telling || !this.#hasNews()) return;
    const news = this.#news;
    this.#news = { out: new Map(), in: new Set() };
    const message = this.#tellAll
      ? this.#whole()
      : { whole: false, out: Object.fromEntries(news.out), in: [...news.in] };
    this.#tellAll = false;
    this.#telling = true;
    try {
      await this.#options.control.putHealth(message);
    } catch (error) {
      this.#tellAll = true;
      this.#tellAgainAt = performance.now() + retryMilliseconds;
      this.#options.logger.warn({ err: error }, 'nginx did not hear the state of origins; it is told again');
    }
    this.#telling = false;
  }

  #whole() {
    const out: Record<string, number> = {};
    for (const { health, judgement, question, watched } of this.#targets.values())
      if (isOut(health))
        for (const place of watched.keys())
          out[place] = intervalsHeld * judgement.interval_seconds + question.timeout_seconds;
    return { whole: true, out, in: [] };
  }
}
