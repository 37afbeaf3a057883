import type { EdgeProcess } from '@breakwater/edge/process/edge-process';
import type { Logger } from 'pino';
import { Backoff } from '../backoff.ts';

export interface SupervisorOptions {
  start: () => Promise<EdgeProcess>;
  /** Called when nginx has started, the first time and again; it is called again until it succeeds. */
  onStart: () => Promise<void>;
  logger: Logger;
}

/** Having run for so long, nginx is started again without a growing delay. */
const steadyMilliseconds = 30_000;

/** Keeps nginx running, or goes on with one that runs. It serves from disk as soon as it starts; nothing of it waits for the control plane. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #edge: EdgeProcess | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The running nginx. Fails while there is none. */
  get edge(): EdgeProcess {
    if (!this.#edge) throw new Error('nginx is not running');
    return this.#edge;
  }

  get isRunning(): boolean {
    return this.#edge !== undefined;
  }

  /** Fails when nginx cannot start: at the first time that is a matter of set-up, and waiting would not mend it. */
  async start(): Promise<void> {
    this.#edge = await this.#options.start();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        this.#edge ??= await this.#options.start();
        if (signal.aborted) return;
        const startedAt = Date.now();
        await this.#watch(this.#edge, signal);
        if (signal.aborted) return;
        this.#edge = undefined;
        if (Date.now() - startedAt > steadyMilliseconds) backoff.reset();
        logger.error('nginx ended; starting it again');
      } catch (error) {
        logger.error({ err: error }, 'nginx does not start; trying again');
      }
      await backoff.wait(signal);
    }
  }

  async stop(): Promise<void> {
    await this.#edge?.stop();
    this.#edge = undefined;
  }

  /** nginx serves on. */
  leave(): void {
    this.#edge?.leave();
    this.#edge = undefined;
  }

  /** Resolves when nginx has ended, or the signal aborts. */
  async #watch(edge: EdgeProcess, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stopped = new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal }),
    );
    const announced = this.#announce(AbortSignal.any([signal, over.signal]));
    try {
      await Promise.race([edge.ended, stopped]);
    } finally {
      over.abort();
      await announced;
    }
  }

  async #announce(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        return await this.#options.onStart();
      } catch (error) {
        this.#options.logger.error(
          { err: error },
          'nginx has started but was not brought up to date; trying again',
        );
        await backoff.wait(signal);
      }
    }
  }
}
