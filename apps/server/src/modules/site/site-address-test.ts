import { createHmac } from 'node:crypto';
import { addressLinkSeconds } from '@breakwater/contract';
import { addressLinkPath, addressLinkText } from '@breakwater/policy/address/address-link';
import { portsOfNode } from '../../delivery/commands.ts';
import type { Scope } from '../../scope.ts';
import type { Services } from '../../services.ts';
import { getSite } from './site.store.ts';
import { readConfig } from '../site-config/site-config.store.ts';

const linksMax = 20;
const usualPorts = { http: 80, https: 443 };

/** Links to the page on which a node shows what it sees of a visitor; whatever stands before the nodes stands before it. */
export async function addressTestOf({ db, secrets }: Services, scope: Scope, siteId: number) {
  const { config } = await readConfig(db, scope, siteId);
  const { line_group_id: lineGroupId } = await getSite(db, scope, siteId);
  const scheme = config.certificate_settings.certificate_ids.length > 0 ? 'https' : 'http';
  const port = (await portsOfNode(db, lineGroupId))[scheme] ?? usualPorts[scheme];
  const authority = port === usualPorts[scheme] ? '' : `:${port}`;
  const expires = Math.floor(Date.now() / 1000) + addressLinkSeconds;
  const signature = createHmac('sha256', secrets.linkKey)
    .update(addressLinkText(String(siteId), expires))
    .digest('hex');
  const path = addressLinkPath({ expires, signature });
  return {
    expires_at: new Date(expires * 1000).toISOString(),
    links: config.domains.slice(0, linksMax).map((domain) => {
      // Any name under a wildcard does.
      const name = domain.replace(/^\*/, 'www');
      return { domain: name, url: `${scheme}://${name}${authority}${path}` };
    }),
  };
}
