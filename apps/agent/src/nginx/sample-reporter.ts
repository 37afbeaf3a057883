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

/** Of a thousand each; none where the control plane is older. */
interface Shares {
  answers: number;
  submissions: number;
  /** Names of fields that are never handed over. */
  secretNames: readonly string[];
}

const lookMilliseconds = 2000;

/**
 * Hands the control plane the answers that nginx sampled, and what visitors sent, to be searched there. Nothing of them lies on disk,
 * and what was not taken is dropped: there are more.
 */
export class SampleReporter {
  readonly #parts: Surroundings;
  #ordered = '';

  constructor(parts: Surroundings) {
    this.#parts = parts;
  }

  /** How much nginx samples; one that was started anew is told again. */
  async order({ answers, submissions, secretNames }: Shares, instanceId: string): Promise<void> {
    const order = JSON.stringify([instanceId, answers, submissions, secretNames]);
    if (order === this.#ordered) return;
    try {
      await this.#parts.control.putSampling(answers, submissions, secretNames);
      this.#ordered = order;
    } catch (error) {
      // One that an earlier release started knows nothing of it.
      this.#parts.logger.debug({ err: error }, 'nginx takes no order to sample');
    }
  }

  /** Runs until the signal aborts. Neither waits for the other. */
  async run(signal: AbortSignal): Promise<void> {
    const { control, controlPlane } = this.#parts;
    await Promise.all([
      this.#handOver(
        (...asked) => control.samples(...asked),
        (samples) => controlPlane.reportSamples(samples),
        signal,
      ),
      this.#handOver(
        (...asked) => control.submissions(...asked),
        (submissions) => controlPlane.reportSubmissions(submissions),
        signal,
      ),
    ]);
  }

  async #handOver<Sample>(
    take: (
      instanceId: string,
      told: number,
      max: number,
    ) => Promise<{ instance_id: string; last: number; samples: Sample[] }>,
    tell: (samples: readonly Sample[]) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const backoff = new Backoff();
    let instanceId = '';
    let told = 0;
    while (!signal.aborted) {
      let wait = lookMilliseconds;
      try {
        const taken = await take(instanceId, told, samplesMax);
        instanceId = taken.instance_id;
        told = taken.last;
        if (taken.samples.length > 0) await tell(taken.samples);
        backoff.reset();
      } catch (error) {
        // While nginx starts, too.
        this.#parts.logger.debug({ err: error }, 'samples not told; trying on');
        wait = Math.max(wait, backoff.nextMilliseconds());
      }
      await pause(wait, signal);
    }
  }
}
