import type { PreparedCondition } from '@breakwater/policy/conditions/condition';
import { headProblem } from '@breakwater/policy/http/header-limits';
import { retryAfterSeconds } from '@breakwater/policy/access/rate';
import { enter, leave, takeRate } from '../lib/counters.ts';
import { verdictOf } from './facts.ts';
import { countersOf, type Limits, type VisitorCounters } from '../site/limits.ts';
import { entryOf } from '../site/host.ts';
import type { Site } from '../site/site.ts';
import { joined, visitorOf } from './visitor.ts';
import { appliedRates, type AppliedRates } from '../hop/told.ts';

/**
 * The page of a limit that a request meets, if any; else it is counted. In the phase that makes the key, for limits that
 * need nothing of later ones: a phase of its own would cost a hit more than all the counting.
 */
export function pageOfLimit(site: Site, limits: Limits): string | undefined {
  const counters = countersOf(site.key, limits, visitorOf(ngx.var.client_addr!));
  const refused =
    (limits.head && headProblem(limits.head, ngx.var.request_uri!, linesOfHead())) ??
    (limits.countsHits ? rateProblem(limits, counters, appliedRates(limits)) : undefined) ??
    connectionProblem(site, limits, counters);
  const rate = limits.bandwidth.connection;
  if (refused !== undefined) ngx.var.edge_decision = decisionOf(refused);
  else if (rate !== undefined && isHeldTo(limits.bandwidthOf)) ngx.var.limit_rate = string.format('%d', rate);
  return refused;
}

/** What the log says of a request that a limit refused: the section, and which. */
const decisionOf = (page: string): string => `security ${page}`;

/** Before the cache, of sites that limit content: sends a request on, counted, or shows why not. */
export function limit(): void {
  const variables = ngx.var;
  variables.edge_stage = '@page';
  const site = entryOf(variables.host!)?.site;
  const limits = site?.limits;
  if (site !== undefined && limits !== undefined) {
    const refused = contentProblem(limits) ?? pageOfLimit(site, limits);
    if (refused !== undefined) {
      refuse(refused);
      return;
    }
  }
  ngx.exec(variables.edge_after!);
}

/** Of each line of the request's header the bytes of its name and its value. */
function linesOfHead(): number[] {
  const lines: number[] = [];
  const headers = ngx.req.get_headers(0);
  for (const name in headers) {
    const value = headers[name]!;
    if (type(value) === 'table')
      for (const each of value as (string | boolean)[]) lines.push(name.length + joined(each).length);
    else lines.push(name.length + joined(value).length);
  }
  return lines;
}

/** Whether a limit is for the visitor's request. Where it cannot be decided, it is. */
export const isHeldTo = (condition: PreparedCondition | undefined): boolean =>
  condition === undefined || verdictOf(condition) !== 0;

function contentProblem(limits: Limits): string | undefined {
  const max = limits.bodyBytesMax;
  if (max === undefined || !isHeldTo(limits.bodyOf)) return undefined;
  const variables = ngx.var;
  if (variables.http_transfer_encoding !== undefined) return 'length_required';
  const length = variables.http_content_length;
  if (length !== undefined) return tonumber(length)! > max ? 'content_too_large' : undefined;
  if (variables.server_protocol === 'HTTP/2.0') expectNoContent();
  return undefined;
}

/** HTTP/2 sends content without announcing it. nginx refuses more than a byte of it here, with this page. */
function expectNoContent(): void {
  const variables = ngx.var;
  variables.edge_page = 'content_too_large';
  variables.edge_decision = decisionOf('content_too_large');
  ngx.req.read_body();
  variables.edge_page = 'none';
  variables.edge_decision = '';
}

/** The address first: what one visitor sends too much of is not counted against all. */
function rateProblem(limits: Limits, counters: VisitorCounters, applies: AppliedRates): string | undefined {
  const { rate, ratePerAddress } = limits;
  let wait = 0;
  if (ratePerAddress !== undefined && applies.address) wait = takeRate(counters.rate, ratePerAddress.rate);
  if (wait === 0 && rate !== undefined && applies.site) wait = takeRate(rate.name, rate.rate);
  if (wait === 0) return undefined;
  ngx.var.edge_retry_after = `${retryAfterSeconds(wait)}`;
  return 'too_many_requests';
}

function connectionProblem(site: Site, limits: Limits, counters: VisitorCounters): string | undefined {
  const { connections, connectionsPerAddress } = limits;
  // Asked only where one of them is set.
  if (connections === undefined && connectionsPerAddress === undefined) return undefined;
  if (!isHeldTo(limits.connectionsOf)) return undefined;
  if (connectionsPerAddress === undefined || enter(counters.connections, connectionsPerAddress)) {
    if (connections === undefined || enter(site.key, connections)) {
      note(counters.held);
      return undefined;
    }
    if (connectionsPerAddress !== undefined) leave(counters.connections);
  }
  ngx.var.edge_retry_after = '1';
  return 'too_many_connections';
}

/** What a request holds stands in a variable, which outlives the internal redirects that drop a context. */
export function hold(key: string, max: number): boolean {
  if (!enter(key, max)) return false;
  note(key);
  return true;
}

function note(keys: string): void {
  const variables = ngx.var;
  const held = variables.edge_held!;
  variables.edge_held = held === '' ? keys : `${held}\n${keys}`;
}

/** When a request has ended, however it did. */
export function release(): void {
  const held = ngx.var.edge_held;
  if (held !== undefined && held !== '') leaveFrom(held, 1);
}

/** Mostly there are two, for which LuaJIT compiles this as it stands, and not for a loop. */
function leaveFrom(held: string, start: number): void {
  const [end] = string.find(held, '\n', start, true);
  if (end === undefined) {
    leave(start === 1 ? held : string.sub(held, start));
    return;
  }
  leave(string.sub(held, start, end - 1));
  leaveFrom(held, end + 1);
}

function refuse(page: string): void {
  const variables = ngx.var;
  variables.edge_page = page;
  variables.edge_decision = decisionOf(page);
  if (page === 'content_too_large' || page === 'length_required') variables.edge_stage = '@page_and_close';
  ngx.exit(421);
}

/** Before an origin is asked, where hits do not count: this is none. */
export function limitFetch(site: Site, address: string, applies: (limits: Limits) => AppliedRates): boolean {
  const limits = site.limits;
  if (limits === undefined || limits.countsHits) return false;
  const counters = countersOf(site.key, limits, visitorOf(address));
  const page = rateProblem(limits, counters, applies(limits));
  if (page === undefined) return false;
  ngx.var.edge_page = page;
  return true;
}
