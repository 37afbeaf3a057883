import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { EdgeControl } from './edge-control.ts';

interface Surroundings {
  control: EdgeControl;
  controlPlane: ControlPlane;
  logger: Logger;
}

const lookMilliseconds = 500;
const perCall = 500;

/**
 * Tells the control plane which sites nginx takes for attacked, and why. nginx keeps each step until the control plane has it, so
 * nothing lies on disk; what is told twice is one there.
 */
export class GuardReporter {
  readonly #parts: Surroundings;
  #instanceId = '';
  #told = 0;
  #isFailing = false;

  constructor(parts: Surroundings) {
    this.#parts = parts;
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const backoff = new Backoff();
    while (!signal.aborted) {
      let wait = lookMilliseconds;
      try {
        await this.#tell();
        this.#isFailing = false;
        backoff.reset();
      } catch (error) {
        // While nginx starts, too.
        if (!this.#isFailing && !signal.aborted)
          this.#parts.logger.debug({ err: error }, 'steps of CC guard not told; trying on');
        this.#isFailing = true;
        wait = Math.max(wait, backoff.nextMilliseconds());
      }
      await pause(wait, signal);
    }
  }

  async #tell(): Promise<void> {
    const { control, controlPlane } = this.#parts;
    const { instance_id, last, steps } = await control.guardSteps(this.#instanceId, this.#told, perCall);
    if (steps.length > 0) await controlPlane.reportGuardSteps(instance_id, steps);
    this.#instanceId = instance_id;
    this.#told = last;
  }
}
