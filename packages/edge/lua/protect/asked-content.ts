import type { ContentOfRequest } from '@breakwater/policy/conditions/content-facts';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { isContentDecisive, type PreparedMatchers } from '@breakwater/policy/protect/matchers';
import { callPlace } from '../front/grpc.ts';
import { readContentAt } from '../lib/content-rate.ts';
import { heldBytesMax } from '../lib/held-content.ts';
import type { Site } from '../site/site.ts';
import { mayHaveContent } from './inspect.ts';
import { matcherRequest } from './matchers.ts';

/** What a request carries, for rules that ask for it: read before any rule is asked, and only where it may decide one. */

export function isContentWanted(asking: PreparedMatchers, site: Site): boolean {
  if (!mayHaveContent() || !isReadable() || callPlace(site) !== undefined) return false;
  if (isAcmeChallenge(ngx.var.request_uri!)) return false;
  return isContentDecisive(asking, matcherRequest(site.key));
}

/** It is held in memory as a whole, and read as it was sent. */
function isReadable(): boolean {
  const variables = ngx.var;
  const length = tonumber(variables.http_content_length);
  if (length === undefined || length > heldBytesMax) return false;
  return (variables.http_content_encoding ?? 'identity') === 'identity';
}

/** In the place where nginx keeps all of it in memory. Nothing: it comes too slowly. */
export function readContent({ contentRateMin }: Site): ContentOfRequest | undefined {
  if (!readContentAt(contentRateMin)) return undefined;
  const body = ngx.req.get_body_data();
  return body === undefined ? 'unread' : { type: ngx.var.http_content_type ?? '', body };
}
