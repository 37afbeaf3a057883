import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import { ownVerifyPrefix } from '@breakwater/policy/address/address-link';
import { challengeAnswer } from '../documents/acme-challenges.ts';
import { showVerifyAnswer } from '../protect/verify-answer.ts';
import { entryOf } from '../site/host.ts';
import { showAddressTest } from './address-test.ts';
import { showRefusedLink } from './pages.ts';

/** Of a host that is not served here there is nothing to answer. */
function answerOfBrowser(): void {
  const site = entryOf(ngx.var.host!)?.site;
  if (site === undefined) showRefusedLink();
  else showVerifyAnswer(site);
}

/** What is the edge's own to answer, whatever the site. */
export function showOwnPage(): void {
  const target = ngx.var.request_uri!;
  if (target.startsWith(ownVerifyPrefix)) return answerOfBrowser();
  if (!isAcmeChallenge(target)) return showAddressTest();
  ngx.header['Content-Type'] = 'application/octet-stream';
  ngx.header['Cache-Control'] = 'no-store';
  ngx.print(challengeAnswer(ngx.var.host!, target) ?? '');
}
