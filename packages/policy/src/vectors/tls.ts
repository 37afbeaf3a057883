import type { ForceHttps } from '@breakwater/contract/site-config/certificate-settings';
import { certificateCovers } from '../http/host.ts';
import { hstsField, httpsLocation, isAcmeChallenge, isForced } from '../http/tls.ts';

/** What `tls.ts` decides; nothing for another decision. */
export function runTlsVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'certificate-name')
    return { covers: certificateCovers(input.name as string, input.host as string) };
  if (decision === 'force-https') return forceHttps(input as never);
  if (decision === 'hsts') return { field: hstsField(input as never) ?? '' };
  return undefined;
}

function forceHttps(input: { settings: ForceHttps; host: string; target: string }): unknown {
  const { settings, target } = input;
  if (!isForced(settings, input.host) || isAcmeChallenge(target)) return { redirects: false };
  return { redirects: true, location: httpsLocation(input.host, settings.port, target) };
}
