import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { createServer as createTlsServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shippedLogLine, type ShippedLogLine } from '@breakwater/contract/access-log';
import type {
  DocumentEnvelope,
  DocumentKind,
  DocumentResult,
  EffectiveSite,
  RefreshDocument,
  SiteDocument,
} from '@breakwater/contract/edge-document';
import { accessControl } from '@breakwater/contract/site-config/access-control';
import { blockReferer } from '@breakwater/contract/site-config/block-referer';
import { advancedConfig } from '@breakwater/contract/site-config/advanced-config';
import { cacheRule } from '@breakwater/contract/site-config/cache-rule';
import { contentRewrite } from '@breakwater/contract/site-config/content-rewrite';
import { originServerConfig, type origin } from '@breakwater/contract/site-config/origin-server-config';
import { speedOptimize } from '@breakwater/contract/site-config/speed-optimize';
import { matcherRuleSection, type matcherRule } from '@breakwater/contract/site-config/matcher-rule';
import { realIp } from '@breakwater/contract/site-config/real-ip';
import { ccGuardianRule } from '@breakwater/contract/site-config/cc-guardian-rule';
import { browserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { edgeSystemRule } from '@breakwater/contract/site-config/used-system-rule';
import { siteSecurity } from '@breakwater/contract/site-config/site-security';
import { packAddresses } from '@breakwater/policy/address/address-set';
import { freePorts } from '@breakwater/test-world/ports';
import type * as z from 'zod';
import { startEdge, type EdgeOptions, type EdgeProcess } from '../process/edge-process.ts';

/** As long as `vi.waitFor` waits on a machine with much else to do. */
export const patience = { timeout: 30_000 };

/** A folder that nginx's workers may look into. */
export async function makeEdgeDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-edge-'));
  await chmod(folder, 0o755);
  return folder;
}

export interface TestOrigin {
  port: number;
  /** Requests seen so far. */
  count(): number;
  close(): Promise<void>;
}

/** A real HTTP or, with a pair, HTTPS server. */
export async function startOrigin(
  listener: RequestListener,
  tls?: { cert: string; key: string },
  port = 0,
  address = '127.0.0.1',
): Promise<TestOrigin> {
  let count = 0;
  const counted: RequestListener = (request, response) => {
    count += 1;
    listener(request, response);
  };
  const server = tls === undefined ? createServer(counted) : createTlsServer(tls, counted);
  await new Promise<void>((settle, refuse) => {
    server.once('error', refuse);
    server.listen(port, address, settle);
  });
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.closeAllConnections();
      return new Promise((settle) => server.close(() => settle()));
    },
  };
}

const bypass: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'bypass' }];

type OriginInput = z.input<typeof origin>;
type ConfigInput = Omit<z.input<typeof originServerConfig>, 'origins'>;

export interface SiteInput {
  id: number;
  domains: string[];
  origins: OriginInput[];
  config?: ConfigInput;
  rules?: z.input<typeof cacheRule>[];
  certificateIds?: number[];
  tls?: Partial<SiteDocument['certificate_settings']>;
  ports?: SiteDocument['listen_port'];
  security?: z.input<typeof siteSecurity>;
  /** Of `cc_guardian_rule`. */
  guard?: z.input<typeof ccGuardianRule>;
  /** Of `browser_verify_rule`. */
  verify?: z.input<typeof browserVerifyRule>;
  rewrite?: z.input<typeof contentRewrite>;
  realIp?: z.input<typeof realIp>;
  access?: z.input<typeof accessControl>;
  referer?: z.input<typeof blockReferer>;
  /** Rules of `matcher_rule`. */
  matchers?: z.input<typeof matcherRule>[];
  systemRules?: Partial<z.input<typeof edgeSystemRule>>;
  status?: SiteDocument['status'];
  advanced?: z.input<typeof advancedConfig>;
  cache?: Partial<NonNullable<EffectiveSite['cache_settings']>>;
  speed?: z.input<typeof speedOptimize>;
  statusReason?: SiteDocument['status_reason'];
  waitingDomains?: string[];
  unfiledDomains?: string[];
}

/** A site's document as the control plane would compile it, with the contract's defaults filled in. */
export function makeSite(input: SiteInput): EffectiveSite {
  return {
    site_id: input.id,
    client_id: input.id + 1000,
    order_id: input.id + 2000,
    status: input.status ?? 'online',
    ...(input.statusReason === undefined ? {} : { status_reason: input.statusReason }),
    domains: input.domains,
    ...(input.waitingDomains === undefined ? {} : { waiting_domains: input.waitingDomains }),
    ...(input.unfiledDomains === undefined ? {} : { unfiled_domains: input.unfiledDomains }),
    origin_server_config: originServerConfig.parse({ ...input.config, origins: input.origins }),
    cache_rule: (input.rules ?? []).map((rule) => cacheRule.parse(rule)),
    ...(input.advanced === undefined ? {} : { advanced_config: advancedConfig.parse(input.advanced) }),
    ...(input.cache === undefined
      ? {}
      : {
          cache_settings: {
            cache_header: true,
            cache_status_header: false,
            always_online: false,
            invalidate_on_change: false,
            languages: [],
            ...input.cache,
          },
        }),
    ...(input.speed === undefined ? {} : { speed_optimize: speedOptimize.parse(input.speed) }),
    certificate_settings: { certificate_ids: input.certificateIds ?? [], ...input.tls },
    ...(input.ports === undefined ? {} : { listen_port: input.ports }),
    ...(input.rewrite === undefined ? {} : { content_rewrite: contentRewrite.parse(input.rewrite) }),
    ...(input.guard === undefined ? {} : { cc_guardian_rule: ccGuardianRule.parse(input.guard) }),
    ...(input.verify === undefined ? {} : { browser_verify_rule: browserVerifyRule.parse(input.verify) }),
    ...(input.security === undefined ? {} : { security: siteSecurity.parse(input.security) }),
    ...(input.realIp === undefined ? {} : { real_ip: realIp.parse(input.realIp) }),
    ...(input.access === undefined ? {} : { access_control: accessControl.parse(input.access) }),
    ...(input.matchers === undefined
      ? {}
      : { matcher_rule: matcherRuleSection.parse({ rules: input.matchers }) }),
    ...(input.systemRules === undefined
      ? {}
      : { used_system_rule: edgeSystemRule.parse({ exceptions: [], ...input.systemRules }) }),
    ...(input.referer === undefined ? {} : { block_referer: blockReferer.parse(input.referer) }),
  };
}

export function makeEnvelope(
  kind: DocumentKind,
  key: string,
  revision: number,
  document: unknown,
): DocumentEnvelope {
  const body = JSON.stringify(document);
  return { kind, key, revision, deleted: false, hash: createHash('sha256').update(body).digest('hex'), body };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface CallOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** Over TLS, with this as server name. */
  servername?: string;
  /** The visitor's address, one of the loopback's. */
  from?: string;
  port?: number;
}

export class TestEdge {
  readonly edge: EdgeProcess;
  readonly dir: string;
  readonly httpPort: number;
  readonly httpsPort: number;
  #revision = 0;
  #sites = 0;

  constructor(edge: EdgeProcess, dir: string, httpPort: number, httpsPort: number) {
    this.edge = edge;
    this.dir = dir;
    this.httpPort = httpPort;
    this.httpsPort = httpsPort;
  }

  static async start(options: Partial<EdgeOptions> = {}): Promise<TestEdge> {
    const dir = options.edgeDir ?? (await makeEdgeDir());
    const [httpPort, httpsPort] = await freePorts(2);
    const edge = await startEdge({
      edgeDir: dir,
      httpPorts: [httpPort!],
      httpsPorts: [httpsPort!],
      listenAddress: '127.0.0.1',
      workerProcesses: 1,
      nodeName: 'test',
      documentsSizeMax: '64m',
      privateOrigins: true,
      ...options,
    });
    return new TestEdge(
      edge,
      dir,
      options.httpPorts?.[0] ?? httpPort!,
      options.httpsPorts?.[0] ?? httpsPort!,
    );
  }

  async close(): Promise<void> {
    await this.edge.stop(2);
    await rm(this.dir, { recursive: true, force: true });
  }

  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    // A connection of its own: nginx may be closing a kept one by the time that it is used.
    const options = { socketPath: this.edge.controlSocket, path, method, agent: false };
    const answer = await send(options, JSON.stringify(body));
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as T;
  }

  nextRevision(): number {
    return ++this.#revision;
  }

  /** Puts sites into service, each as the next revision. */
  applySites(...sites: SiteDocument[]): Promise<DocumentResult[]> {
    const envelopes = sites.map((site) => makeEnvelope('site', `${site.site_id}`, this.nextRevision(), site));
    return this.control<DocumentResult[]>('POST', '/documents', envelopes);
  }

  /** Puts a list of addresses into service. */
  async applyList(id: number, entries: string[]): Promise<DocumentResult> {
    const { v4, v6 } = packAddresses(entries);
    const inBase64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');
    const list = { list_id: id, v4: inBase64(v4), v6: inBase64(v6) };
    const envelope = makeEnvelope('address_list', `${id}`, this.nextRevision(), list);
    return (await this.control<DocumentResult[]>('POST', '/documents', [envelope]))[0]!;
  }

  /** Has the edge refresh what it stored; gives the document back. */
  async applyRefresh(refresh: RefreshDocument): Promise<DocumentEnvelope> {
    const envelope = makeEnvelope('refresh', `${refresh.refresh_id}`, this.nextRevision(), refresh);
    const [result] = await this.control<DocumentResult[]>('POST', '/documents', [envelope]);
    if (result?.status !== 'applied') throw new Error(result?.error);
    return envelope;
  }

  /** A site of its own, answered by its host, whose answers go around the cache: no test sees another's failures. */
  async serve(origins: SiteInput['origins'], config: ConfigInput = {}, rules = bypass): Promise<string> {
    const id = 1 + this.#sites++;
    const host = `site${id}.test`;
    const [result] = await this.applySites(makeSite({ id, domains: [host], origins, config, rules }));
    if (result!.error !== undefined) throw new Error(result!.error);
    return host;
  }

  get(host: string, path = '/', options: CallOptions = {}): Promise<Answer> {
    const { method = 'GET', headers = {}, body, servername, from, port = this.httpPort } = options;
    const shared = {
      host: '127.0.0.1',
      path,
      method,
      headers: { host, ...headers },
      agent: false,
      ...(from === undefined ? {} : { localAddress: from }),
    };
    if (servername === undefined) return send({ ...shared, port }, body);
    return send({ ...shared, port: this.httpsPort, servername, rejectUnauthorized: false }, body, true);
  }

  /** Log lines so far, checked against the contract; waits until there are `count` that `matches`. */
  async logLines(count: number, matches: (line: ShippedLogLine) => boolean): Promise<ShippedLogLine[]> {
    for (let waited = 0; waited < 300; waited++) {
      const text = await readFile(this.edge.accessLogPath, 'utf8');
      // What stands behind the last end of a line may be a part of one.
      const lines = text
        .split('\n')
        .slice(0, -1)
        .map((line) => shippedLogLine.parse(JSON.parse(line)));
      const found = lines.filter(matches);
      if (found.length >= count) return found;
      await delay(100);
    }
    throw new Error(`Fewer than ${count} such lines were logged.`);
  }
}

function send(options: object, body: string | undefined, isTls = false): Promise<Answer> {
  return new Promise((settle, refuse) => {
    const call = (isTls ? httpsRequest : httpRequest)(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', refuse);
      response.on('end', () =>
        settle({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', refuse);
    // Node frames the body of a DELETE only when told its length.
    if (body !== undefined) call.setHeader('content-length', Buffer.byteLength(body));
    call.end(body);
  });
}
