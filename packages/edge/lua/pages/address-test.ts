import type { RealIp } from '@breakwater/contract/site-config/real-ip';
import { addressLinkText, parseAddressLink } from '@breakwater/policy/address/address-link';
import { traceAddress, type AddressTrace } from '@breakwater/policy/address/address-trace';
import { prepareAddressRule } from '@breakwater/policy/address/client-address';
import { splitTarget } from '@breakwater/policy/http/path';
import { addressPage } from './address-page.ts';
import { isListed } from '../documents/address-lists.ts';
import { digests } from '../lib/digest.ts';
import { encodeJson } from '../lib/json.ts';
import { linkKey } from '../control/link-key.ts';
import { showRefusedLink } from './pages.ts';
import { entryOf } from '../site/host.ts';
import type { Site } from '../site/site.ts';
import { joined } from '../front/visitor.ts';

/** Shown as they came, whatever the site's setting. */
const fieldsOfConcern = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-client-ip',
  'via',
  'cdn-loop',
];

const socketSetting: RealIp = {
  mode: 'socket',
  headers: [],
  depth: 1,
  preset: 'cloudflare',
  trusted: [],
  address_lists: [],
  pass_headers: [],
};

export interface SeenField {
  name: string;
  lines: string[];
}

export interface Sight {
  node: string;
  site_id: number;
  host: string;
  connection: {
    address: string;
    port: string;
    scheme: string;
    protocol: string;
    server_port: string;
    proxy_protocol?: string;
  };
  mode: RealIp['mode'];
  headers: SeenField[];
  trust: AddressTrace['trust'];
  fields: AddressTrace['fields'];
  client: AddressTrace['chosen'];
}

/** The page that shows a visitor with a link what this node sees of them. */
export function showAddressTest(): void {
  const site = entryOf(ngx.var.host!)?.site;
  ngx.header['Cache-Control'] = 'no-store';
  ngx.header['X-Robots-Tag'] = 'noindex';
  if (site === undefined || !isSigned(site, splitTarget(ngx.var.request_uri!).path)) {
    showRefusedLink();
    return;
  }
  const sight = sightOf(site);
  const wantsJson = string.find(ngx.var.http_accept ?? '', 'application/json', 1, true)[0] !== undefined;
  ngx.header['Content-Security-Policy'] = "default-src 'none'; style-src 'unsafe-inline'";
  ngx.header['Referrer-Policy'] = 'no-referrer';
  ngx.header['X-Content-Type-Options'] = 'nosniff';
  ngx.header['Content-Type'] = wantsJson ? 'application/json' : 'text/html; charset=utf-8';
  ngx.print(wantsJson ? encodeJson(sight) : addressPage(sight));
}

function isSigned(site: Site, path: string): boolean {
  const link = parseAddressLink(path);
  const key = linkKey();
  if (link === undefined || key === undefined || link.expires <= ngx.time()) return false;
  return link.signature === digests.toHex(digests.hmac(key, addressLinkText(site.siteId, link.expires)));
}

function sightOf(site: Site): Sight {
  const variables = ngx.var;
  const config = site.document.real_ip ?? socketSetting;
  const came = ngx.req.get_headers(0);
  const seen: Record<string, string> = {};
  const names = prepareAddressRule(config).headers;
  for (const name of names) {
    const value = came[name];
    if (value !== undefined) seen[name] = joined(value);
  }
  const proxied = variables.proxy_protocol_addr;
  const hasProxied = proxied !== undefined && proxied !== '';
  const trace = traceAddress(
    config,
    {
      socket: variables.remote_addr!,
      headers: seen,
      ...(hasProxied ? { proxied } : {}),
    },
    isListed,
  );
  return {
    node: variables.edge_node ?? '',
    site_id: site.document.site_id,
    host: variables.host!,
    connection: {
      address: variables.remote_addr!,
      port: variables.remote_port!,
      scheme: variables.scheme!,
      protocol: variables.server_protocol!,
      server_port: variables.server_port!,
      ...(hasProxied ? { proxy_protocol: proxied } : {}),
    },
    mode: config.mode,
    headers: seenFields(names, came),
    trust: trace.trust,
    fields: trace.fields,
    client: trace.chosen,
  };
}

function seenFields(
  names: string[],
  came: Record<string, string | boolean | (string | boolean)[] | undefined>,
): SeenField[] {
  const fields: SeenField[] = [];
  const shown: Record<string, boolean> = {};
  for (const list of [names, fieldsOfConcern])
    for (const name of list) {
      const value = came[name];
      if (value === undefined || shown[name]) continue;
      shown[name] = true;
      const lines: string[] = [];
      if (type(value) === 'table') for (const line of value as (string | boolean)[]) lines.push(joined(line));
      else lines.push(joined(value));
      fields.push({ name, lines });
    }
  return fields;
}
