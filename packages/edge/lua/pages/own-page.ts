import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { challengeAnswer } from '../documents/acme-challenges.ts';
import { showAddressTest } from './address-test.ts';

/** What is the edge's own to answer, whatever the site. */
export function showOwnPage(): void {
  const target = ngx.var.request_uri!;
  if (!isAcmeChallenge(target)) return showAddressTest();
  ngx.header['Content-Type'] = 'application/octet-stream';
  ngx.header['Cache-Control'] = 'no-store';
  ngx.print(challengeAnswer(ngx.var.host!, target) ?? '');
}
