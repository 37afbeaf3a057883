import type { AccessLogRecord, ExplainAnswer, ExplainedRequest, explainInput } from '@breakwater/contract';
import type * as z from 'zod';
import { invalid, notFound } from '../../api-error.ts';
import { askNode, nodeOfGroup } from '../../delivery/commands.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { getSite } from '../site/site.store.ts';
import { causesOf, differingSteps } from './explain-difference.ts';
import { traceOfModel } from './explain.model.ts';
import { ruleRefs } from '../statistics/rule-refs.store.ts';

const answerMilliseconds = 5000;

export async function explainRequest(
  services: Services,
  scope: Scope,
  siteId: number,
  input: z.infer<typeof explainInput>,
): Promise<ExplainAnswer> {
  const site = await getSite(services.db, scope, siteId);
  return answerFor(services, scope, site, describe(input), input.node_id, null);
}

/** A request of the log, as far as the log holds it: two of its header fields, and no content. */
export async function explainLogged(
  services: Services,
  scope: Scope,
  siteId: number,
  input: { request_id: string; node_id?: number | undefined },
): Promise<ExplainAnswer> {
  const site = await getSite(services.db, scope, siteId);
  const filters = { site_id: siteId, request_id: input.request_id };
  const { list } = await services.logStore.search(scope, filters, { current_page: 1, page_size: 1 });
  const [line] = list;
  if (!line) throw notFound();
  return answerFor(services, scope, site, describeLine(line), input.node_id ?? line.node_id, line);
}

const usualPorts = { http: 80, https: 443 };

function describe(input: z.infer<typeof explainInput>): ExplainedRequest {
  const [, scheme = '', authority = '', rest = ''] = /^(https?):\/\/([^/?]+)(.*)$/i.exec(input.url) ?? [];
  const url = parseAuthority(`${scheme}://${authority}`);
  return {
    method: input.method,
    scheme: scheme.toLowerCase() as 'http' | 'https',
    host: url.hostname.replace(/\.$/, ''),
    port: url.port === '' ? usualPorts[scheme.toLowerCase() as 'http' | 'https'] : Number(url.port),
    // Not through the parser, which would tidy a path that an attacker did not.
    target: rest.startsWith('/') ? rest : `/${rest}`,
    headers: input.headers,
    address: input.address,
    // Agents of earlier releases take no request with it.
    ...(input.ja4 === '' ? {} : { ja4: input.ja4 }),
    time: Math.floor((input.time === undefined ? Date.now() : Date.parse(input.time)) / 1000),
  };
}

function parseAuthority(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid('url', 'explain_url');
  }
}

function describeLine(line: AccessLogRecord): ExplainedRequest {
  const scheme = line.scheme === 'https' ? 'https' : 'http';
  const headers = [
    { name: 'User-Agent', value: line.user_agent },
    { name: 'Referer', value: line.referer },
  ];
  return {
    method: line.method,
    scheme,
    host: line.host,
    port: usualPorts[scheme],
    target: line.request_uri,
    headers: headers.filter(({ value }) => value !== ''),
    address: line.raw_remote_addr || line.remote_addr,
    client_address: line.remote_addr,
    ...(line.ja4 === '' ? {} : { ja4: line.ja4 }),
    time: Math.floor(Date.parse(line.time) / 1000),
  };
}

async function answerFor(
  services: Services,
  scope: Scope,
  site: { id: number; line_group_id: number },
  request: ExplainedRequest,
  nodeId: number | undefined,
  line: AccessLogRecord | null,
): Promise<ExplainAnswer> {
  const { db } = services;
  const node = await nodeOfGroup(db, site.line_group_id, nodeId);
  if (nodeId !== undefined && !node && !line) throw invalid('node_id', 'not_an_option');
  const payload = { site_id: site.id, request };
  const [model, asked] = await Promise.all([
    traceOfModel(services, site, request),
    node?.online ? askNode(db, node.id, 'explain', payload, answerMilliseconds) : undefined,
  ]);
  const differing = asked ? differingSteps(asked, model) : [];
  return {
    request,
    node: node ? { id: node.id, name: node.name } : null,
    node_trace: asked ?? null,
    node_problem: asked ? null : node ? 'away' : 'no_node',
    model_trace: model,
    differing,
    causes: asked ? causesOf(asked, model, differing) : [],
    logged: line && {
      request_id: line.request_id,
      time: line.time,
      status: line.status,
      cache_status: line.cache_status,
      decision: line.decision,
      rule: (await ruleRefs(db, scope, [{ ...line, at: line.time }]))[0] ?? null,
      cache_reason: line.cache_reason,
      origin_addr: line.origin_addr,
    },
  };
}
