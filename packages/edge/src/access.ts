import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { AccessControl } from '@breakwater/contract/site-config/access-control';
import type { BlockReferer } from '@breakwater/contract/site-config/block-referer';
import {
  decideAccess,
  prepareAccess,
  type AccessLookups,
  type PreparedAccess,
} from '@breakwater/policy/access';
import { splitTarget } from '@breakwater/policy/path';
import { decideReferer } from '@breakwater/policy/referer';
import { isAcmeChallenge } from '@breakwater/policy/tls';
import { isListed } from './address-lists.ts';
import { placeOf } from './ip-places.ts';
import { joined } from './visitor.ts';

const lookups: AccessLookups = { isListed, placeOf };

/** Who may come in, made ready from a site's document; a site that lets everybody in has none of this. */
export interface Access {
  rules: PreparedAccess | undefined;
  deny: AccessControl['deny'] | undefined;
  referer: BlockReferer | undefined;
  domains: string[];
}

export function accessOf(document: EffectiveSite): Access | undefined {
  const { access_control: control, block_referer: referer, domains } = document;
  const access: Access = {
    rules: control && prepareAccess(control),
    deny: control?.deny,
    referer: referer?.enabled === true ? referer : undefined,
    domains,
  };
  return access.rules === undefined && access.referer === undefined ? undefined : access;
}

/** The page that a request gets in place of the site, if any. Why stands in `$edge_decision`, for the log. */
export function accessPage(access: Access, host: string): string | undefined {
  const variables = ngx.var;
  const target = variables.request_uri!;
  // An authority that proves the domain comes from anywhere.
  if (isAcmeChallenge(target)) return undefined;
  const { path } = splitTarget(target);
  const { rules, referer } = access;
  if (rules !== undefined) {
    const { action, index } = decideAccess(
      rules,
      {
        address: variables.client_addr!,
        method: variables.request_method!,
        path,
        agent: variables.http_user_agent,
      },
      lookups,
    );
    if (action === 'deny') {
      variables.edge_decision = index < 0 ? 'access_control otherwise' : `access_control ${index + 1}`;
      return 'denied';
    }
  }
  return referer === undefined ? undefined : refererPage(access, referer, host, path);
}

function refererPage(access: Access, settings: BlockReferer, host: string, path: string): string | undefined {
  const headers = ngx.req.get_headers(0);
  const reason = decideReferer(settings, {
    host,
    domains: access.domains,
    path,
    referer: joined(headers.referer ?? ''),
    origin: joined(headers.origin ?? ''),
  });
  if (reason === 'none') return undefined;
  ngx.var.edge_decision = `block_referer ${reason}`;
  return 'bad_referer';
}
