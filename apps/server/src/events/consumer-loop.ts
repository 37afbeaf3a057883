import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../services.ts';
import { consumePage, placeEvents, registerConsumers } from './consume.ts';
import type { EventConsumer } from './define-consumer.ts';

/** Notifications wake it; this is for consumers that wait after a failure, and for notifications that were lost. */
const pollMilliseconds = 1000;
/** A first event is read at once; those that follow it closely, as of a batch, together after so long. */
const gatherMilliseconds = 100;

/** Brings events to their consumers until it is stopped. Any number of servers may have one. */
export class ConsumerLoop {
  readonly #services: Services;
  readonly #consumers: readonly EventConsumer[];
  #running: Promise<void> | undefined;
  #stopping = false;
  #wake: () => void = () => {};

  constructor(services: Services, consumers: readonly EventConsumer[]) {
    this.#services = services;
    this.#consumers = consumers;
  }

  async start(): Promise<void> {
    if (this.#consumers.length === 0) return;
    await registerConsumers(this.#services.db, this.#consumers);
    this.#running = this.#run();
  }

  wake(): void {
    this.#wake();
  }

  /** The page that is under way is finished. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      let timer: NodeJS.Timeout | undefined;
      const gathered = sleep(gatherMilliseconds);
      // Made first: what is told while it looks is not lost.
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, pollMilliseconds);
      });
      await this.#guarded(() => placeEvents(this.#services.db));
      await Promise.all(this.#consumers.map((consumer) => this.#guarded(() => this.#drain(consumer))));
      if (!this.#stopping) await woken;
      clearTimeout(timer);
      if (!this.#stopping) await gathered;
    }
  }

  async #drain(consumer: EventConsumer): Promise<void> {
    while (!this.#stopping && (await consumePage(this.#services, consumer)));
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    await work().catch((err: unknown) => {
      this.#services.log.warn({ err }, 'events could not be read');
    });
  }
}
