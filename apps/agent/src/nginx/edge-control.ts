import { Agent, request } from 'node:http';
import {
  answerSample,
  documentResult,
  guardStepReport,
  madeBan,
  ruleAct,
  requestTrace,
  submission,
  type AnswerSample,
  type DocumentEnvelope,
  type DocumentResult,
  type GuardShare,
  type GuardStepReport,
  type MadeBan,
  type RuleAct,
  type NodeCommandPayload,
  type RequestTrace,
  type Submission,
  type SearchRobot,
  type ShieldGroup,
} from '@breakwater/contract';
import * as z from 'zod';
import type { Told } from './edge-reporter.ts';

const edgeState = z.object({
  instance_id: z.string(),
  nginx_version: z.string(),
  brotli: z.boolean(),
  documents: z.object({ site: z.int(), certificate: z.int() }),
  connections: z.int(),
  bans: z.object({ memory_free: z.int(), memory_size: z.int(), lost: z.int() }),
  /** Absent: of a nginx from before it. */
  guard: z.object({ memory_free: z.int(), memory_size: z.int(), lost: z.int() }).optional(),
});
export type EdgeState = z.infer<typeof edgeState>;

const heldDocument = z.object({ kind: z.string(), key: z.string(), revision: z.int(), hash: z.string() });
export type HeldDocument = z.infer<typeof heldDocument>;

const ocspQuestion = z.object({
  hash: z.string().optional(),
  /** Absent where the certificate names none. */
  responder: z.string().optional(),
  request: z.string().optional(),
  error: z.string().optional(),
});
export type OcspQuestion = z.infer<typeof ocspQuestion>;

const ocspVerdict = z.object({ seconds: z.number().optional(), error: z.string().optional() });
export type OcspVerdict = z.infer<typeof ocspVerdict>;

/** Whose robots have an address, and for how long that is true. */
export interface RobotVerdict {
  address: string;
  robot: SearchRobot | 'none';
  seconds: number;
}
const askedAddresses = z.object({ addresses: z.string() });

const madeBans = z.object({ instance_id: z.string(), bans: z.string(), last: z.int() });
/** One of a nginx of before does not say when it was made. */
const timedBan = madeBan.extend({ made_at: z.int().optional() });
export interface MadeBans {
  instance_id: string;
  last: number;
  made: z.infer<typeof timedBan>[];
}
const ownCounts = z.object({ own: z.string() });
const toldSamples = z.object({ instance_id: z.string(), samples: z.string(), last: z.int() });
const toldSubmissions = z.object({ instance_id: z.string(), submissions: z.string(), last: z.int() });
const toldSteps = z.object({ instance_id: z.string(), steps: z.string(), last: z.int() });
const toldActs = z.object({ instance_id: z.string(), acts: z.string(), last: z.int() });
export interface OwnBan {
  address: string;
  scope: MadeBan['scope'];
  target: number;
  id: 0;
  until: number;
  segment: 0;
}

const answerMilliseconds = 30_000;

class ClosedConnection extends Error {}

const isOfConnection = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE';

/** The control socket of the local nginx: HTTP with JSON over a unix socket. */
export class EdgeControl {
  readonly #socketPath: string;
  readonly #connections = new Agent({ keepAlive: true, maxSockets: 2 });

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** What nginx made of each document, in their order. */
  async apply(documents: readonly DocumentEnvelope[]): Promise<DocumentResult[]> {
    const results = z.array(documentResult).parse(await this.#call('POST', '/documents', documents));
    if (results.length !== documents.length)
      throw new Error(`nginx judged ${results.length} of ${documents.length} documents`);
    return results;
  }

  async state(): Promise<EdgeState> {
    return edgeState.parse(await this.#call('GET', '/state'));
  }

  /** What to ask about a certificate in service, and whom. */
  async ocspQuestion(key: string): Promise<OcspQuestion> {
    return ocspQuestion.parse(await this.#call('POST', '/ocsp/question', { key }));
  }

  /** Hands over what the authority answered. Nothing but good answers are taken. */
  async putOcspAnswer(key: string, hash: string, answer: string): Promise<OcspVerdict> {
    return ocspVerdict.parse(await this.#call('PUT', '/ocsp/answer', { key, hash, answer }));
  }

  /** The key that links of the control plane are signed with. */
  async putLinkKey(key: string): Promise<void> {
    await this.#call('PUT', '/link_key', { key });
  }

  /** The shields of this node's line groups. */
  async putShields(groups: readonly ShieldGroup[]): Promise<void> {
    await this.#call('PUT', '/shields', { groups });
  }

  /** The keys that browsers' passes are signed with, the one that signs first. */
  async putPassKeys(keys: readonly string[]): Promise<void> {
    await this.#call('PUT', '/pass_keys', { keys });
  }

  /** What becomes of a request, by what nginx has in service. */
  async explain(asked: NodeCommandPayload<'explain'>): Promise<RequestTrace> {
    return requestTrace.parse(await this.#call('POST', '/explain', asked));
  }

  /** From now on nothing is served of what was stored so far. */
  async refreshEverything(): Promise<void> {
    await this.#call('POST', '/refresh');
  }

  async heldDocuments(): Promise<HeldDocument[]> {
    return z.array(heldDocument).parse(await this.#call('GET', '/documents'));
  }

  /** Addresses of origin names. */
  async putResolved(addresses: Record<string, string[]>): Promise<void> {
    await this.#call('PUT', '/resolved', addresses);
  }

  /** Addresses of which nginx wants to know whose robots they have; each is given once. */
  async askedRobots(max: number): Promise<string[]> {
    const { addresses } = askedAddresses.parse(await this.#call('POST', '/robots/asked', { max }));
    return addresses === '' ? [] : addresses.split(' ');
  }

  async putRobots(verdicts: readonly RobotVerdict[]): Promise<void> {
    await this.#call('PUT', '/robots', { verdicts });
  }

  /** Bans that rules made in nginx after the one of this number, which it forgets with all before; and the number of the last. */
  async madeBans(instanceId: string, told: number, max: number): Promise<MadeBans> {
    const asked = { instance_id: instanceId, told, max };
    const { bans, ...rest } = madeBans.parse(await this.#call('POST', '/bans/made', asked));
    const made = bans === '' ? [] : bans.split('\n').map((line) => timedBan.parse(JSON.parse(line)));
    return { ...rest, made };
  }

  /** Steps of CC guard after the one of this number, which nginx forgets with all before; and the number of the last. */
  async guardSteps(instanceId: string, told: number, max: number): Promise<Told<GuardStepReport>> {
    const asked = { instance_id: instanceId, told, max };
    const { steps, ...rest } = toldSteps.parse(await this.#call('POST', '/guard/steps', asked));
    const lines = steps === '' ? [] : steps.split('\n');
    return { ...rest, reports: lines.map((line) => guardStepReport.parse(JSON.parse(line))) };
  }

  /** The same of what rules want done beyond this node. */
  async ruleActs(instanceId: string, told: number, max: number): Promise<Told<RuleAct>> {
    const asked = { instance_id: instanceId, told, max };
    const { acts, ...rest } = toldActs.parse(await this.#call('POST', '/rules/acts', asked));
    const lines = acts === '' ? [] : acts.split('\n');
    return { ...rest, reports: lines.map((line) => ruleAct.parse(JSON.parse(line))) };
  }

  /** Hands over what other nodes counted, and takes what was counted here, the greatest parts of their thresholds first. */
  async exchangeCounts(nodes: number, others: readonly GuardShare[]): Promise<GuardShare[]> {
    const { own } = ownCounts.parse(await this.#call('POST', '/guard/counts', { nodes, others }));
    return [...own.matchAll(/^(\d+) (\d+) (\d+) (.+)$/gm)].map(([, siteId, bucket, count, name]) => ({
      site_id: Number(siteId),
      bucket: Number(bucket),
      count: Number(count),
      name: name!,
    }));
  }

  /** How much is sampled, of a thousand answers and of a thousand requests, and which fields of these are secrets besides. */
  async putSampling(answers: number, submissions: number, secretNames: readonly string[]): Promise<void> {
    await this.#call('PUT', '/sampling', {
      per_mille: answers,
      submitted_per_mille: submissions,
      secret_names: secretNames,
    });
  }

  /** Answers that were sampled after the one of this number, which nginx forgets with all before; and the number of the last. */
  async samples(
    instanceId: string,
    told: number,
    max: number,
  ): Promise<{ instance_id: string; last: number; samples: AnswerSample[] }> {
    const asked = { instance_id: instanceId, told, max };
    const { samples, ...rest } = toldSamples.parse(await this.#call('POST', '/samples', asked));
    const lines = samples === '' ? [] : samples.split('\n');
    // A URL of odd bytes is none that could be searched.
    return { ...rest, samples: lines.flatMap((line) => answerSample.safeParse(JSON.parse(line)).data ?? []) };
  }

  /** What visitors sent after the one of this number, likewise. */
  async submissions(
    instanceId: string,
    told: number,
    max: number,
  ): Promise<{ instance_id: string; last: number; samples: Submission[] }> {
    const asked = { instance_id: instanceId, told, max };
    const { submissions, ...rest } = toldSubmissions.parse(await this.#call('POST', '/submissions', asked));
    const lines = submissions === '' ? [] : submissions.split('\n');
    return { ...rest, samples: lines.flatMap((line) => submission.safeParse(JSON.parse(line)).data ?? []) };
  }

  /** For a nginx that has just started: what it had made before. */
  async putBans(bans: readonly OwnBan[]): Promise<void> {
    await this.#call('PUT', '/bans/made', { bans });
  }

  /** Addresses of this node and of its control plane, for which no ban is. */
  async putOurAddresses(addresses: readonly string[]): Promise<void> {
    await this.#call('PUT', '/bans/ours', { addresses });
  }

  /** What checks say of origins, by place: out for how many seconds, or in again. `whole`: no others are out. */
  async putHealth(verdicts: {
    whole: boolean;
    out: Record<string, number>;
    in: readonly string[];
  }): Promise<void> {
    await this.#call('PUT', '/health', verdicts);
  }

  close(): void {
    this.#connections.destroy();
  }

  /** A kept connection may be closed just when it is used, as nginx's workers do that quit: then nobody has read the question. */
  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    try {
      return await this.#ask(method, path, body, this.#connections);
    } catch (error) {
      if (!(error instanceof ClosedConnection)) throw error;
      return this.#ask(method, path, body, false);
    }
  }

  #ask(method: string, path: string, body: unknown, agent: Agent | false): Promise<unknown> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers =
      text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const call = request(
        {
          socketPath: this.#socketPath,
          method,
          path,
          headers,
          agent,
          timeout: answerMilliseconds,
        },
        (response) => {
          let answer = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => (answer += part));
          response.on('error', reject);
          response.on('end', () => {
            const { statusCode = 0 } = response;
            if (statusCode >= 300)
              reject(
                new Error(`nginx answered ${method} ${path} with ${statusCode}: ${answer.slice(0, 500)}`),
              );
            else resolve(answer === '' ? undefined : JSON.parse(answer));
          });
        },
      );
      call.on('timeout', () => call.destroy(new Error(`nginx did not answer ${method} ${path}`)));
      call.on('error', (error: NodeJS.ErrnoException) =>
        reject(call.reusedSocket && isOfConnection(error) ? new ClosedConnection() : error),
      );
      call.end(text);
    });
  }
}
