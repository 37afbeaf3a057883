import { randomBytes } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import {
  errors,
  nodeApiRoutes,
  nodeCommandKind,
  nodeEvent,
  type AnswerSample,
  type DocumentResult,
  type Envelope,
  type GuardShare,
  type GuardStepReport,
  type HealthReport,
  type LiveReport,
  type MadeBan,
  type RuleAct,
  type NodeCommandAnswer,
  type NodeCommandKind,
  type NodeEvent,
  type NodeReport,
  type RouteData,
  type Submission,
} from '@breakwater/contract';
import * as z from 'zod';
import { Clock } from '../clock.ts';
import { AgentSession } from './agent-session.ts';
import { sign, signInSession } from './signature.ts';

export interface ControlPlaneOptions {
  /** Origin of the control plane's user port: `https://panel.example.com`. */
  url: string;
  appId: string;
  appSecret: string;
}

const eventTypes = nodeEvent.options.map(({ shape }) => shape.type.value);

/** The event, if any. A type or a command that only a newer control plane knows is passed over: this agent cannot do it anyway. */
function eventsIn(message: string): NodeEvent[] {
  if (!message.startsWith('data: ')) return [];
  const event = z
    .object({ type: z.string(), kind: z.unknown().optional() })
    .loose()
    .parse(JSON.parse(message.slice('data: '.length)));
  if (event.type === 'command' && !nodeCommandKind.safeParse(event.kind).success) return [];
  return eventTypes.some((type) => type === event.type) ? [nodeEvent.parse(event)] : [];
}

/** The control plane answered with an error. `code` is the contract's, 0 where the answer was not from it. */
export class ControlPlaneError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, message: string) {
    super(`the control plane answered ${status}: ${message}`);
    this.name = 'ControlPlaneError';
    this.status = status;
    this.code = code;
  }
}

const answerMilliseconds = 30_000;
/** The server pings every 15 seconds: this long without a byte, the line is dead. */
const silenceMilliseconds = 40_000;
/** An HTTP date has whole seconds, and the answer was under way. */
const dateDoubtMilliseconds = 30_000;

type Query = Record<string, string | number>;

/** Signed calls of the node API. They fail with `ControlPlaneError`, or with that of the connection when nobody answers. */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
  readonly #signal: AbortSignal;
  readonly #client: typeof http | typeof https;
  readonly #connections: http.Agent;
  readonly #session: AgentSession;
  #address: string | undefined;
  /** How this machine's clock stands to the control plane's. */
  readonly clock = new Clock();

  /** `signal` ends every call that is under way, and the connections. */
  constructor(options: ControlPlaneOptions, signal: AbortSignal) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
    this.#signal = signal;
    this.#client = options.url.startsWith('https:') ? https : http;
    this.#connections = new this.#client.Agent({ keepAlive: true });
    signal.addEventListener('abort', () => this.#connections.destroy());
    this.#session = new AgentSession(() => this.#ask(nodeApiRoutes.nodeSession, {}, undefined, false));
  }

  /** Where it answered from last. */
  get addresses(): readonly string[] {
    return this.#address === undefined ? [] : [this.#address];
  }

  documents(query: {
    since: number;
    generation: number;
  }): Promise<RouteData<typeof nodeApiRoutes.nodeDocuments>> {
    return this.#call(nodeApiRoutes.nodeDocuments, query);
  }

  /** `pushed`: they came with events, and all is judged up to there. */
  acknowledge(
    results: DocumentResult[],
    pushed?: { generation: number; until: number },
  ): Promise<RouteData<typeof nodeApiRoutes.nodeAcknowledge>> {
    return this.#call(nodeApiRoutes.nodeAcknowledge, {}, JSON.stringify({ results, pushed }));
  }

  async answer(id: string, answer: NodeCommandAnswer<NodeCommandKind>): Promise<void> {
    await this.#call(nodeApiRoutes.nodeAnswer, {}, JSON.stringify({ id, answer }));
  }

  async report(state: NodeReport): Promise<RouteData<typeof nodeApiRoutes.nodeReport>> {
    const sent = performance.now();
    const answer = await this.#call(nodeApiRoutes.nodeReport, {}, JSON.stringify(state));
    if (answer.time !== undefined) this.clock.learn(answer.time, { sent, received: performance.now() });
    return answer;
  }

  /** Has a key of this node certified for other nodes. */
  certify(request: string): Promise<RouteData<typeof nodeApiRoutes.nodeShieldCertificate>> {
    return this.#call(nodeApiRoutes.nodeShieldCertificate, {}, JSON.stringify({ request }));
  }

  async reportHealth(report: HealthReport): Promise<void> {
    await this.#call(nodeApiRoutes.nodeHealth, {}, JSON.stringify(report));
  }

  async reportLive(report: LiveReport): Promise<void> {
    await this.#call(nodeApiRoutes.nodeLive, {}, JSON.stringify(report));
  }

  async reportBans(bans: readonly MadeBan[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeBans, {}, JSON.stringify({ bans }));
  }

  async reportGuardSteps(instanceId: string, steps: readonly GuardStepReport[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeGuardSteps, {}, JSON.stringify({ instance_id: instanceId, steps }));
  }

  async reportRuleActs(acts: readonly RuleAct[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeRuleActs, {}, JSON.stringify({ acts }));
  }

  async reportGuardShares(shares: readonly GuardShare[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeGuardShares, {}, JSON.stringify({ shares }));
  }

  async reportSamples(samples: readonly AnswerSample[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeSamples, {}, JSON.stringify({ samples }));
  }

  async reportSubmissions(submissions: readonly Submission[]): Promise<void> {
    await this.#call(nodeApiRoutes.nodeSubmissions, {}, JSON.stringify({ submissions }));
  }

  banDocuments(after: string): Promise<RouteData<typeof nodeApiRoutes.nodeBanDocuments>> {
    return this.#call(nodeApiRoutes.nodeBanDocuments, { after });
  }

  /** How far a log file is stored. */
  async logPosition(file: string): Promise<number> {
    return (await this.#call(nodeApiRoutes.nodeLogPosition, { file })).offset;
  }

  /** Ships a gzip batch; returns how far the file is stored then. */
  async shipLogs(file: string, offset: number, batch: Buffer): Promise<number> {
    return (await this.#call(nodeApiRoutes.nodeLogs, { file, offset }, batch)).offset;
  }

  /** The events of one line, until it ends. Fails when it goes silent. */
  async *events(): AsyncGenerator<NodeEvent> {
    const silence = new AbortController();
    const heard = () => silence.abort(new Error('the control plane went silent'));
    let timer = setTimeout(heard, silenceMilliseconds);
    try {
      const signal = AbortSignal.any([this.#signal, silence.signal]);
      await this.#session.ready();
      const { id } = this.#session;
      const response = await this.#send('GET', nodeApiRoutes.nodeEvents.path, undefined, signal);
      if (response.statusCode !== 200) throw await this.#refusal(response, id);
      let buffered = '';
      for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
        clearTimeout(timer);
        timer = setTimeout(heard, silenceMilliseconds);
        const messages = (buffered + text).split('\n\n');
        buffered = messages.pop() ?? '';
        yield* messages.flatMap(eventsIn);
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
    }
  }

  /** Asks once more where the refusal said that this machine's clock is off, or that the session is not known. */
  async #call<Response extends z.core.$ZodType>(
    spec: { method: string; path: string; response: Response },
    query: Query,
    body?: string | Buffer,
  ): Promise<z.output<Response>> {
    await this.#session.ready();
    const ahead = this.clock.aheadMilliseconds;
    const { ends } = this.#session;
    try {
      return await this.#ask(spec, query, body);
    } catch (error) {
      const learnt = Math.abs(this.clock.aheadMilliseconds - ahead) > dateDoubtMilliseconds;
      const isOver = this.#session.ends > ends;
      if (!(error instanceof ControlPlaneError) || !(learnt || isOver)) throw error;
      return this.#ask(spec, query, body, false);
    }
  }

  async #ask<Response extends z.core.$ZodType>(
    spec: { method: string; path: string; response: Response },
    query: Query,
    body: string | Buffer | undefined,
    inSession = true,
  ): Promise<z.output<Response>> {
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const target = search.size > 0 ? `${spec.path}?${search.toString()}` : spec.path;
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(answerMilliseconds)]);
    const id = inSession ? this.#session.id : undefined;
    const response = await this.#send(spec.method, target, body, signal, inSession);
    if (response.statusCode !== 200) throw await this.#refusal(response, id);
    const envelope = JSON.parse(await textOf(response)) as Envelope<unknown>;
    return z.parse(spec.response, envelope.data);
  }

  /**
   * A signature is refused when its time is far off, too: then the answer's own date says by how much, and the next call is
   * signed with that.
   */
  async #refusal(response: http.IncomingMessage, session: string | undefined): Promise<ControlPlaneError> {
    const error = await errorOf(response);
    if (session !== undefined && error.code === errors.node_signature.code) this.#session.end(session);
    const date = Date.parse(response.headers.date ?? '');
    if (error.code === errors.node_signature.code && !Number.isNaN(date)) {
      const now = performance.now();
      this.clock.learn(date + 500, { sent: now, received: now }, dateDoubtMilliseconds);
    }
    return error;
  }

  #send(
    method: string,
    target: string,
    body: string | Buffer | undefined,
    signal: AbortSignal,
    inSession = true,
  ): Promise<http.IncomingMessage> {
    const { url, appId, appSecret } = this.#options;
    // Signed is what the control plane sees, also where a proxy puts it under a path and takes that off again.
    const signed = { method, target, body: body ?? '' };
    const call = inSession ? this.#session.next() : undefined;
    const authorization = call
      ? signInSession(appSecret, { ...signed, ...call })
      : sign(appId, appSecret, {
          ...signed,
          time: Math.floor(this.clock.now() / 1000),
          nonce: randomBytes(16).toString('hex'),
        });
    const headers: http.OutgoingHttpHeaders = { authorization, 'accept-language': 'en' };
    if (body !== undefined) {
      headers['content-type'] = typeof body === 'string' ? 'application/json' : 'application/gzip';
      headers['content-length'] = Buffer.byteLength(body);
    }
    return new Promise((resolve, reject) => {
      const request = this.#client.request(
        url + target,
        { method, headers, signal, agent: this.#connections },
        (response) => {
          this.#address = response.socket.remoteAddress ?? this.#address;
          resolve(response);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }
}

async function errorOf(response: http.IncomingMessage): Promise<ControlPlaneError> {
  const status = response.statusCode ?? 0;
  const text = await textOf(response).catch(() => '');
  try {
    const { code, message, errors: fields = [] } = JSON.parse(text) as Envelope<unknown>;
    const details = fields.map((field) => `${field.path}: ${field.message}`);
    if (code === errors.node_signature.code)
      details.push("check the node's credentials and this machine's clock");
    return new ControlPlaneError(status, code, [message, ...details].join('; '));
  } catch {
    return new ControlPlaneError(status, 0, text.slice(0, 200));
  }
}
