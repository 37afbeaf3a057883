import type { Logger } from 'pino';
import { Backoff, pause } from '../backoff.ts';
import type { ControlPlane } from '../delivery/control-plane.ts';
import type { EdgeControl } from './edge-control.ts';

/** What nginx noted after the report of a number, which it forgets with all before; and the number of the last. */
export interface Told<Report> {
  instance_id: string;
  last: number;
  reports: Report[];
}

interface EdgeReporterOptions<Report> {
  take: (instanceId: string, told: number, max: number) => Promise<Told<Report>>;
  /** To the control plane. */
  tell: (reports: Report[], instanceId: string) => Promise<void>;
  /** For the agent's log. */
  about: string;
  logger: Logger;
}

const lookMilliseconds = 500;
const perCall = 500;

/**
 * Tells the control plane what nginx noted. nginx keeps each report until the control plane has it, so nothing lies on disk; what is
 * told twice has to be one there.
 */
class EdgeReporter<Report> {
  readonly #options: EdgeReporterOptions<Report>;
  #instanceId = '';
  #told = 0;
  #isFailing = false;

  constructor(options: EdgeReporterOptions<Report>) {
    this.#options = options;
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
        const { logger, about } = this.#options;
        // While nginx starts, too.
        if (!this.#isFailing && !signal.aborted) logger.debug({ err: error }, `${about} not told; trying on`);
        this.#isFailing = true;
        wait = Math.max(wait, backoff.nextMilliseconds());
      }
      await pause(wait, signal);
    }
  }

  async #tell(): Promise<void> {
    const { take, tell } = this.#options;
    const { instance_id: instanceId, last, reports } = await take(this.#instanceId, this.#told, perCall);
    if (reports.length > 0) await tell(reports, instanceId);
    this.#instanceId = instanceId;
    this.#told = last;
  }
}

interface Surroundings {
  control: EdgeControl;
  controlPlane: ControlPlane;
  logger: Logger;
}

export const edgeReporters = ({ control, controlPlane, logger }: Surroundings) => [
  new EdgeReporter({
    about: 'steps of CC guard',
    take: (...from) => control.guardSteps(...from),
    tell: (steps, instanceId) => controlPlane.reportGuardSteps(instanceId, steps),
    logger,
  }),
  new EdgeReporter({
    about: 'what rules did',
    take: (...from) => control.ruleActs(...from),
    tell: (acts) => controlPlane.reportRuleActs(acts),
    logger,
  }),
];
