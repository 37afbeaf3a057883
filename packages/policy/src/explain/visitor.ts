import { chooseAddress, prepareAddressRule } from '../address/client-address.ts';
import { judgeTarget } from '../http/request-path.ts';
import { isPageOffline, offlinePagesOf } from '../site/offline-pages.ts';
import { closingOf, isClosedTo, statusPage } from '../site/site-state.ts';
import { addStep, fact, linesOf, liveFact, noteLevel, type Trace } from './trace.ts';

/** Whose request it is, and whether anybody of his kind is let in at all. */

export function explainAddress(trace: Trace): void {
  const { request, site } = trace;
  const config = site.document.real_ip;
  if (request.client_address !== undefined) {
    addStep(trace, 'client_address', 'passed', 'logged_address', [fact('address', request.client_address)]);
    return;
  }
  if (config === undefined || config.mode === 'socket') {
    const step = addStep(trace, 'client_address', 'passed', 'socket', [fact('address', request.address)]);
    noteLevel(step, trace, 'real_ip', 'mode');
    return;
  }
  const rule = prepareAddressRule(config, trace.tools.lookups.isListed);
  const headers: Record<string, string> = {};
  for (const name of rule.headers) {
    const lines = linesOf(request, name);
    if (lines.length > 0) headers[name] = lines.join(', ');
  }
  const { address, reason, field } = chooseAddress(rule, { socket: request.address, headers });
  trace.address = address;
  const facts = [fact('address', address)];
  if (field !== undefined) facts.push(fact('field', field));
  const isOther = reason === 'field' || reason === 'proxy_protocol';
  const step = addStep(trace, 'client_address', isOther ? 'changed' : 'passed', reason, facts);
  noteLevel(step, trace, 'real_ip', 'mode');
}

export function explainStatus(trace: Trace): void {
  const { document, domain } = trace.site;
  const page = statusPage(document, domain);
  if (page === 'unfiled') {
    addStep(trace, 'status', 'stopped', page, [fact('status', 451)]);
    return;
  }
  if (page !== undefined) {
    addStep(trace, 'status', 'stopped', 'page', [fact('page', page)]);
    return;
  }
  const offline = offlinePagesOf(document.offline_pages);
  if (offline !== undefined && isPageOffline(offline, trace.request.host, trace.request.target)) {
    addStep(trace, 'status', 'stopped', 'offline_page', [fact('status', 451)]);
    return;
  }
  const closing = closingOf(document.advanced_config?.maintenance);
  if (closing === undefined) {
    addStep(trace, 'status', 'passed', 'online');
    return;
  }
  const isClosed = isClosedTo(closing, trace.address, trace.request.time);
  const step = addStep(
    trace,
    'status',
    isClosed ? 'stopped' : 'passed',
    isClosed ? 'maintenance' : 'maintenance_open',
  );
  if (isClosed) step.facts.push(fact('status', 503));
  noteLevel(step, trace, 'advanced_config', 'maintenance');
}

/** Known to a node only. */
export function explainBans(trace: Trace): void {
  const { ban } = trace.tools;
  if (ban === undefined || judgeTarget(trace.request.target) === 'own') {
    addStep(trace, 'bans', 'passed');
    return;
  }
  const found = ban(trace.address);
  if (found === undefined) {
    addStep(trace, 'bans', 'passed', 'not_banned');
    return;
  }
  const facts = [liveFact('ban', found.id), liveFact('wait_seconds', found.until - trace.request.time)];
  if (found.isNever) addStep(trace, 'bans', 'passed', 'ban_never', facts);
  else addStep(trace, 'bans', 'stopped', 'banned', [...facts, fact('status', 403)]);
}
