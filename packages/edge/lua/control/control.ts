import { isBrotliThere } from '../fetch/compress.ts';
import type { DocumentEnvelope } from '@breakwater/contract/edge-document';
import type { BanEntry } from '@breakwater/policy/protect/bans';
import type { ExplainedRequest } from '@breakwater/contract/explain';
import { applyEnvelope } from '../documents/apply.ts';
import { configuration } from './configuration.ts';
import { traceOf } from './explain.ts';
import { listUnhealthy, putVerdicts, type Verdicts } from '../fetch/health.ts';
import { decodeJson, encodeJson } from '../lib/json.ts';
import { questionOf, takeAnswer } from '../tls/ocsp.ts';
import { putLinkKey } from './link-key.ts';
import { putPassKeys } from './pass-keys.ts';
import { everything, gone, invalidateSite } from '../front/generations.ts';
import { putResolved } from '../fetch/resolved.ts';
import { guardState } from '../protect/guard-counts.ts';
import { takeActs } from '../protect/rule-acts.ts';
import { takeSteps } from '../protect/guard-places.ts';
import { exchangeCounts, type SharedCount } from '../protect/guard-exchange.ts';
import { takeMade } from '../protect/ban-reports.ts';
import { bansState, putBan } from '../protect/ban-store.ts';
import { putOurs } from '../protect/bans.ts';
import type { ShieldGroup } from '@breakwater/contract/shield';
import { putSampling, takeSamples } from '../front/sample.ts';
import { putSubmissionSampling, takeSubmissions } from '../front/submission.ts';
import { putShields } from '../hop/shields.ts';
import { putRobots, takeAsked, type RobotVerdict } from '../front/robots.ts';
import * as store from '../documents/store.ts';

/** How many documents are applied before visitors get their turn. */
const documentsAtOnce = 50;

/** The agent's requests, on a socket that only it may open. */
export function control(): void {
  const method = ngx.req.get_method();
  const route = `${method} ${ngx.var.uri!}`;
  if (route === 'POST /documents') postDocuments();
  else if (route === 'GET /documents') answer(200, documentsInService());
  else if (route === 'GET /state') answer(200, state());
  else if (route === 'PUT /resolved') resolve();
  else if (route === 'PUT /health') takeVerdicts();
  else if (route === 'POST /ocsp/question') askOcsp();
  else if (route === 'PUT /ocsp/answer') takeOcsp();
  else if (route === 'PUT /link_key') takeLinkKey();
  else if (route === 'PUT /pass_keys') takePassKeys();
  else if (route === 'POST /explain') explainRequest();
  else if (route === 'POST /robots/asked') giveAskedRobots();
  else if (route === 'PUT /robots') takeRobots();
  else if (route === 'PUT /shields') takeShields();
  else if (route === 'POST /refresh') refreshEverything();
  else if (route === 'POST /bans/made') giveMadeBans();
  else if (route === 'POST /guard/steps') giveSteps();
  else if (route === 'POST /rules/acts') giveActs();
  else if (route === 'POST /guard/counts') exchangeGuardCounts();
  else if (route === 'PUT /sampling') takeSampling();
  else if (route === 'POST /samples') giveSamples();
  else if (route === 'POST /submissions') giveSubmissions();
  else if (route === 'PUT /bans/made') takeBackBans();
  else if (route === 'PUT /bans/ours') takeOurs();
  else answer(404, { error: `there is no ${route} on the control socket` });
}

/** The lists must come one at a time: the agent's, in the order of revisions. */
function postDocuments(): void {
  const envelopes = readBody();
  if (envelopes === undefined) return;
  const results = [];
  for (const envelope of envelopes as DocumentEnvelope[]) {
    results.push(applyEnvelope(envelope));
    if (results.length % documentsAtOnce === 0) ngx.sleep(0);
  }
  answer(200, results);
}

/** Nothing that is stored is served any more. */
function refreshEverything(): void {
  invalidateSite(everything, gone);
  answer(200, {});
}

function documentsInService(): unknown {
  const list = [];
  for (const { kind, key } of store.listDocuments())
    list.push({ kind, key, revision: store.revisionOf(kind, key), hash: store.hashOf(kind, key) });
  return list;
}

function resolve(): void {
  const addresses = readBody();
  if (addresses === undefined) return;
  putResolved(addresses as Record<string, string[]>);
  answer(200, { names: countOf(addresses as Record<string, unknown>) });
}

function takeVerdicts(): void {
  const verdicts = readBody();
  if (verdicts === undefined) return;
  putVerdicts(verdicts as Verdicts);
  answer(200, {});
}

function takeLinkKey(): void {
  const body = readBody() as { key: string } | undefined;
  if (body === undefined) return;
  putLinkKey(body.key);
  answer(200, {});
}

function takePassKeys(): void {
  const body = readBody() as { keys: string[] } | undefined;
  if (body === undefined) return;
  putPassKeys(body.keys);
  answer(200, {});
}

function giveAskedRobots(): void {
  const body = readBody() as { max: number } | undefined;
  if (body !== undefined) answer(200, { addresses: table.concat(takeAsked(body.max), ' ') });
}

function takeRobots(): void {
  const body = readBody() as { verdicts: RobotVerdict[] } | undefined;
  if (body === undefined) return;
  putRobots(body.verdicts);
  answer(200, {});
}

function giveMadeBans(): void {
  const body = readBody() as { instance_id: string; told: number; max: number } | undefined;
  if (body === undefined) return;
  // Another run of nginx counts from the beginning.
  const told = body.instance_id === store.instanceId() ? body.told : 0;
  answer(200, { instance_id: store.instanceId(), ...takeMade(told, body.max) });
}

/** Where attacks began and ended. */
function giveSteps(): void {
  const body = readBody() as { instance_id: string; told: number; max: number } | undefined;
  if (body === undefined) return;
  const told = body.instance_id === store.instanceId() ? body.told : 0;
  answer(200, { instance_id: store.instanceId(), ...takeSteps(told, body.max) });
}

/** What rules want done beyond this node. */
function giveActs(): void {
  const body = readBody() as { instance_id: string; told: number; max: number } | undefined;
  if (body === undefined) return;
  const told = body.instance_id === store.instanceId() ? body.told : 0;
  answer(200, { instance_id: store.instanceId(), ...takeActs(told, body.max) });
}

/** What other nodes counted, for what was counted here. */
function exchangeGuardCounts(): void {
  const body = readBody() as { nodes: number; others: SharedCount[] } | undefined;
  if (body !== undefined) answer(200, { own: exchangeCounts(body.nodes, body.others) });
}

interface Sampling {
  per_mille: number;
  /** Absent from earlier agents. */
  submitted_per_mille?: number;
  secret_names?: string[];
}

function takeSampling(): void {
  const body = readBody() as Sampling | undefined;
  if (body === undefined) return;
  putSampling(body.per_mille);
  putSubmissionSampling(body.submitted_per_mille ?? 0, body.secret_names ?? []);
  answer(200, {});
}

/** Beginnings of answers that visitors got. */
function giveSamples(): void {
  const body = readBody() as { instance_id: string; told: number; max: number } | undefined;
  if (body === undefined) return;
  const told = body.instance_id === store.instanceId() ? body.told : 0;
  answer(200, { instance_id: store.instanceId(), ...takeSamples(told, body.max) });
}

/** Texts of what visitors sent. */
function giveSubmissions(): void {
  const body = readBody() as { instance_id: string; told: number; max: number } | undefined;
  if (body === undefined) return;
  const told = body.instance_id === store.instanceId() ? body.told : 0;
  answer(200, { instance_id: store.instanceId(), ...takeSubmissions(told, body.max) });
}

/** After a start of nginx: what it had banned itself, and the control plane does not know yet. */
function takeBackBans(): void {
  const body = readBody() as { bans: (BanEntry & { address: string })[] } | undefined;
  if (body === undefined) return;
  for (const { address, ...entry } of body.bans) putBan(address, entry);
  answer(200, {});
}

function takeOurs(): void {
  const body = readBody() as { addresses: string[] } | undefined;
  if (body === undefined) return;
  putOurs(body.addresses);
  answer(200, {});
}

function takeShields(): void {
  const body = readBody() as { groups: ShieldGroup[] } | undefined;
  if (body === undefined) return;
  const problem = putShields(body.groups);
  answer(problem === undefined ? 200 : 507, { error: problem });
}

function explainRequest(): void {
  const body = readBody() as { site_id: number; request: ExplainedRequest } | undefined;
  if (body !== undefined) answer(200, traceOf(body.site_id, body.request));
}

function askOcsp(): void {
  const body = readBody() as { key: string } | undefined;
  if (body !== undefined) answer(200, questionOf(body.key) ?? { error: 'the certificate is not in service' });
}

function takeOcsp(): void {
  const body = readBody() as { key: string; hash: string; answer: string } | undefined;
  if (body !== undefined) answer(200, takeAnswer(body.key, body.hash, body.answer));
}

function state(): unknown {
  const [requests] = string.match(ngx.location.capture('/status').body, 'requests%s+%d+ %d+ (%d+)');
  const version = ngx.config.nginx_version;
  return {
    instance_id: store.instanceId(),
    configuration: configuration(),
    nginx_version: `${math.floor(version / 1_000_000)}.${math.floor(version / 1000) % 1000}.${version % 1000}`,
    brotli: isBrotliThere(),
    documents: { site: store.countOf('site'), certificate: store.countOf('certificate') },
    connections: tonumber(ngx.var.connections_active ?? '0'),
    requests: tonumber(requests),
    origins: listUnhealthy(),
    bans: bansState(),
    guard: guardState(),
    memory: {
      capacity: ngx.shared.edge_documents.capacity(),
      free: ngx.shared.edge_documents.free_space(),
    },
  };
}

function readBody(): unknown {
  ngx.req.read_body();
  let text = ngx.req.get_body_data();
  const path = ngx.req.get_body_file();
  if (text === undefined && path !== undefined) {
    const [file] = io.open(path, 'rb');
    text = file?.read('*a');
    file?.close();
  }
  const [value, problem] = decodeJson(text ?? '');
  if (problem === undefined && type(value) === 'table') return value;
  answer(400, { error: problem ?? 'the body is neither an array nor an object' });
  return undefined;
}

function countOf(values: Record<string, unknown>): number {
  let count = 0;
  for (const _name in values) count += 1;
  return count;
}

function answer(status: number, value: unknown): void {
  ngx.status = status;
  ngx.header['Content-Type'] = 'application/json';
  ngx.print(encodeJson(value));
}
