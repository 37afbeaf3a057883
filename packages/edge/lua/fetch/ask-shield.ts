import { hashText, type Choice } from '@breakwater/policy/origin/balance';
import { shieldsFor, tellShield } from '../hop/to-shield.ts';
import { entryOf } from '../site/host.ts';
import { lastOf } from './answer.ts';
import { attemptAt, chooseNext, fetchAccess, recordLastFailure, rewriteRequest, takeRoom } from './ask.ts';
import { fetchRequest } from './fetch-request.ts';
import { askForReadable } from './leaks.ts';
import { askWithValidators } from './revalidation.ts';
import { placesAt } from './peers.ts';
import { releaseSlot, takeSlot } from './slots.ts';

/** A request goes to a shield, to another where that does not answer, and then to the origin as if there were none. */

const keepaliveSeconds = 60;
/** RFC 9110 §9.2.2. */
const idempotent: Record<string, boolean> = {
  GET: true,
  HEAD: true,
  OPTIONS: true,
  TRACE: true,
  PUT: true,
  DELETE: true,
};

/** Prepares the asking of a shield. */
export function shieldAccess(): void {
  const variables = ngx.var;
  const request = fetchRequest();
  const entry = entryOf(request.host);
  const shields = entry && shieldsFor(request, entry);
  if (entry === undefined || shields === undefined) {
    ngx.exec('@unshielded');
    return;
  }
  const { site } = entry;
  const hash = hashText(request.host + request.target);
  const choice: Choice = { method: 'consistent', random: 0, hash, credits: [] };
  const attempt = attemptAt(entry, shields.peers, placesAt(site, shields.peers, shields.ports), choice);
  attempt.shields = shields;
  const first = chooseNext(attempt);
  if (first === undefined) {
    ngx.exec('@unshielded');
    return;
  }
  if (!takeRoom(request, site)) return;
  attempt.last = first;
  rewriteRequest(request, site);
  askForReadable(site);
  attempt.stored = askWithValidators(request);
  ngx.ctx.attempt = attempt;
  variables.origin_hop = tellShield(request, entry);
  variables.origin_scheme = 'https';
  variables.origin_sni = shields.names[first]!;
  // A shield that is reloaded closes kept connections, also one on which a request is on its way, and this one may not be sent again.
  attempt.slot =
    idempotent[ngx.req.get_method()] === true
      ? takeSlot(keepaliveSeconds, `shields ${shields.version}`)
      : 'origins_https_0';
  variables.origin_upstream = attempt.slot;
}

/** After shields that did not answer: the origin, unless one may have done already what is not to be done twice. */
export function unshieldedAccess(): void {
  const variables = ngx.var;
  recordLastFailure();
  if (variables.origin_scheme === 'https') releaseSlot(variables.origin_upstream!);
  variables.origin_scheme = 'http';
  variables.origin_upstream = 'origins_http_4';
  variables.origin_sni = '';
  variables.origin_tried = '';
  const wasSent = lastOf(variables.upstream_connect_time) !== undefined;
  if (wasSent && idempotent[ngx.req.get_method()] !== true) {
    ngx.exit(502);
    return;
  }
  fetchAccess(false, true);
}
