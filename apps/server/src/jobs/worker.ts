import type { Db } from '../db/database.ts';
import { ConsumerLoop } from '../events/consumer-loop.ts';
import { PgListener } from '../delivery/pg-listener.ts';
import type { Services } from '../services.ts';
import type { JobRegistry } from './define-job.ts';
import { claimItem, renewItems, type Claimed } from './item-claims.ts';
import { interrupt, runItem } from './item-run.ts';
import { jobsChannel } from './operation.store.ts';
import {
  claimSchedule,
  registerSchedules,
  releaseSchedules,
  renewSchedules,
  runSchedule,
  stopping,
} from './schedule-run.ts';

export interface Worker {
  /** What runs is told to end, and goes on elsewhere. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** How long what a worker holds is left to it after its last beat. */
  leaseSeconds?: number;
  /** Items at once. */
  slots?: number;
}

/** Notifications wake a worker; this is for what comes due by time, and for those that were lost. */
const pollMilliseconds = 1000;
const stopMilliseconds = 5000;

/**
 * Does items and work by the clock until it is stopped. Any number of servers may have one: what is due is claimed in the
 * database, and what a dead one held is due again when its lease ends.
 */
export async function startWorker(
  services: Services,
  registry: JobRegistry,
  options: WorkerOptions = {},
): Promise<Worker> {
  await registerSchedules(services.db, registry.schedules);
  const worker = new RunningWorker(services, registry, options);
  await worker.start();
  return worker;
}

interface Held {
  controller: AbortController;
  /** Until when nobody else may take it, by this process's clock. */
  until: number;
}

class RunningWorker implements Worker {
  readonly #services: Services;
  readonly #registry: JobRegistry;
  readonly #leaseSeconds: number;
  readonly #slots: number;
  readonly #items = new Map<string, Held>();
  readonly #schedules = new Map<string, AbortController>();
  readonly #running = new Set<Promise<void>>();
  readonly #consumers: ConsumerLoop;
  #listener: PgListener | undefined;
  #beat: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;
  #stopping = false;
  /** Time has passed or something was told: an item that ended makes no schedule due. */
  #mayHaveSchedules = true;
  #wake: () => void = () => {};

  constructor(services: Services, registry: JobRegistry, options: WorkerOptions) {
    this.#services = services;
    this.#registry = registry;
    this.#consumers = new ConsumerLoop(services, registry.consumers ?? []);
    this.#leaseSeconds = options.leaseSeconds ?? 30;
    this.#slots = options.slots ?? 3;
  }

  get #db(): Db {
    return this.#services.db;
  }

  async start(): Promise<void> {
    const { database, log } = this.#services;
    this.#listener = await PgListener.open({
      databaseUrl: database.url,
      channel: jobsChannel,
      about: 'work for a worker',
      logger: log,
      onMessage: (what) => {
        if (what === 'events') return this.#consumers.wake();
        if (what === 'cancel') void this.#renew();
        this.#mayHaveSchedules = true;
        this.#wake();
      },
    });
    this.#beat = setInterval(() => void this.#renew(), (this.#leaseSeconds * 1000) / 3);
    this.#loop = this.#work();
    await this.#consumers.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    for (const { controller } of this.#items.values()) interrupt(controller, 'stopping');
    for (const controller of this.#schedules.values()) controller.abort(stopping);
    await Promise.all([this.#loop, this.#consumers.stop()]);
    const ended = Promise.all(this.#running);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, stopMilliseconds)));
    await Promise.race([ended, late]);
    clearTimeout(timer);
    clearInterval(this.#beat);
    await releaseSchedules(this.#db, [...this.#schedules.keys()]);
    await this.#listener?.close();
  }

  async #work(): Promise<void> {
    while (!this.#stopping) {
      let timer: NodeJS.Timeout | undefined;
      // Made first: what is told while it looks is not lost.
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(() => {
          this.#mayHaveSchedules = true;
          resolve();
        }, pollMilliseconds);
      });
      try {
        await this.#takeSchedules();
        await this.#takeItems();
      } catch (error) {
        this.#services.log.warn({ err: error }, 'a worker could not look for work');
      }
      if (!this.#stopping) await woken;
      clearTimeout(timer);
    }
  }

  async #takeSchedules(): Promise<void> {
    const { schedules } = this.#registry;
    while (this.#mayHaveSchedules && !this.#stopping) {
      this.#mayHaveSchedules = false;
      const claimed = await claimSchedule(this.#db, schedules, this.#leaseSeconds);
      if (!claimed) return;
      this.#mayHaveSchedules = true;
      const controller = new AbortController();
      this.#schedules.set(claimed.claim, controller);
      const run = runSchedule(this.#services, claimed, controller);
      this.#track(run.finally(() => this.#schedules.delete(claimed.claim)));
    }
  }

  async #takeItems(): Promise<void> {
    const kinds = this.#registry.jobs.map(({ kind }) => kind);
    while (!this.#stopping && this.#items.size < this.#slots) {
      const claimed = await claimItem(this.#db, kinds, this.#leaseSeconds);
      if (!claimed) return;
      if (claimed !== 'again') this.#begin(claimed);
    }
  }

  #begin(claimed: Claimed): void {
    const job = this.#registry.jobs.find(({ kind }) => kind === claimed.operation.kind)!;
    const controller = new AbortController();
    this.#items.set(claimed.claim, { controller, until: this.#leaseEnd() });
    if (this.#stopping) interrupt(controller, 'stopping');
    this.#track(
      runItem(this.#services, job, claimed, controller).finally(() => {
        this.#items.delete(claimed.claim);
        this.#wake();
      }),
    );
  }

  #track(run: Promise<void>): void {
    const tracked = run
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'a worker could not write a result'))
      .finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #leaseEnd(): number {
    return Date.now() + this.#leaseSeconds * 1000;
  }

  async #renewSchedules(): Promise<void> {
    const held = [...this.#schedules];
    if (held.length === 0) return;
    const claims = held.map(([claim]) => claim);
    const standing = await renewSchedules(this.#db, claims, this.#leaseSeconds);
    for (const [claim, controller] of held) if (!standing.has(claim)) controller.abort();
  }

  async #renew(): Promise<void> {
    const end = this.#leaseEnd();
    const held = [...this.#items];
    try {
      await this.#renewSchedules();
      if (held.length === 0) return;
      const claims = held.map(([claim]) => claim);
      const standing = await renewItems(this.#db, claims, this.#leaseSeconds);
      for (const [claim, item] of held) {
        const found = standing.get(claim);
        item.until = end;
        if (!found) interrupt(item.controller, 'lost');
        else if (found.cancelled) interrupt(item.controller, 'cancelled');
      }
    } catch (error) {
      this.#services.log.warn({ err: error }, 'a worker could not prolong its leases');
      for (const [, item] of held) if (item.until < Date.now()) interrupt(item.controller, 'lost');
    }
  }
}
