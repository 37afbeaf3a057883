import type { ccGuardianRule, guardRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import type * as z from 'zod';
import { AccessWorld } from './access-support.ts';
import { makeEnvelope, startOrigin, TestEdge, type Answer, type CallOptions } from './support.ts';

export type Guard = z.input<typeof ccGuardianRule>;
export type GuardRule = z.input<typeof guardRule>;

export const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', accept: 'text/html' };

/** An edge for tests of CC guard: what was asked, what was answered, and what the log says of it. */
export class GuardWorld extends AccessWorld {
  static override async start(): Promise<GuardWorld> {
    const origin = await startOrigin((request, response) => {
      response.setHeader('Cache-Control', 'max-age=600');
      response.end(`asked ${request.url}`);
    });
    const world = new GuardWorld(await TestEdge.start(), origin);
    await world.neverPrivate(false);
    return world;
  }

  /** Whether addresses such as those of these tests may be banned. */
  async neverPrivate(never_private: boolean): Promise<void> {
    const setting = { never: [], never_robots: true, never_private, objection: '' };
    await this.edge.control('POST', '/documents', [
      makeEnvelope('ban_setting', 'platform', this.edge.nextRevision(), setting),
    ]);
  }

  async lineOf({ headers }: Answer) {
    const id = headers['x-request-id'] as string;
    return (await this.edge.logLines(1, ({ request_id }) => request_id === id))[0]!;
  }

  /** The answers to requests one after another. */
  async ask(host: string, count: number, path = '/', options: CallOptions = {}): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let index = 0; index < count; index++) answers.push(await this.edge.get(host, path, options));
    return answers;
  }

  async statuses(...asked: Parameters<GuardWorld['ask']>): Promise<number[]> {
    return (await this.ask(...asked)).map(({ status }) => status);
  }
}
