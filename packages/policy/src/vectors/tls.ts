import type { ForceHttps } from '@breakwater/contract/site-config/certificate-settings';
import { certificateCovers } from '../http/host.ts';
import type { Digests } from '../origin/sigv4.ts';
import { ja4Of, tlsClientOf } from '../http/ja4.ts';
import { hstsField, httpsLocation, isAcmeChallenge, isForced } from '../http/tls.ts';

/** What `tls.ts` decides; nothing for another decision. */
export function runTlsVector(decision: string, input: Record<string, unknown>, digests: Digests): unknown {
  if (decision === 'certificate-name')
    return { covers: certificateCovers(input.name as string, input.host as string) };
  if (decision === 'force-https') return forceHttps(input as never);
  if (decision === 'hsts') return { field: hstsField(input as never) ?? '' };
  if (decision === 'ja4') return ja4(input.hello as string, digests);
  return undefined;
}

function ja4(hello: string, { sha256Hex }: Digests): unknown {
  const found = ja4Of(hello, sha256Hex);
  return found === undefined ? { ja4: 'none' } : { ja4: found, client: tlsClientOf(found) };
}

function forceHttps(input: { settings: ForceHttps; host: string; target: string }): unknown {
  const { settings, target } = input;
  if (!isForced(settings, input.host) || isAcmeChallenge(target)) return { redirects: false };
  return { redirects: true, location: httpsLocation(input.host, settings.port, target) };
}
