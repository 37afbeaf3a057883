import { samplesMax } from '@breakwater/contract';
import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { EdgeControl } from './edge-control.ts';

interface Surroundings {
  control: EdgeControl;
  controlPlane: ControlPlane;
  logger: Logger;
}

const lookMilliseconds = 2000;

/**
 * Hands the control plane the answers that nginx sampled, to be searched there. Nothing of them lies on disk, and what was not taken
 * is dropped: there are more.
 */
export class SampleReporter {
  readonly #parts: Surroundings;
  #instanceId = '';
  #told = 0;
  #ordered = '';

  constructor(parts: Surroundings) {
    this.#parts = parts;
  }

  /** How many of a thousand answers nginx samples; one that was started anew is told again. Absent where the control plane is older. */
  async order(perMille: number | undefined, instanceId: string): Promise<void> {
    const share = perMille ?? 0;
    const order = `${instanceId} ${share}`;
    if (order === this.#ordered) return;
    try {
      await this.#parts.control.putSampling(share);
      this.#ordered = order;
    } catch (error) {
      // One that an earlier release started knows nothing of it.
      this.#parts.logger.debug({ err: error }, 'nginx takes no order to sample answers');
    }
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      let wait = lookMilliseconds;
      try {
        await this.#tell();
        backoff.reset();
      } catch (error) {
        // While nginx starts, too.
        this.#parts.logger.debug({ err: error }, 'sampled answers not told; trying on');
        wait = Math.max(wait, backoff.nextMilliseconds());
      }
      await pause(wait, signal);
    }
  }

  async #tell(): Promise<void> {
    const { control, controlPlane } = this.#parts;
    const { instance_id, last, samples } = await control.samples(this.#instanceId, this.#told, samplesMax);
    this.#instanceId = instance_id;
    this.#told = last;
    if (samples.length > 0) await controlPlane.reportSamples(samples);
  }
}
