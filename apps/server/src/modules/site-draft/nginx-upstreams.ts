import type { Directive } from './nginx-tokens.ts';
import { note, type Draft } from './draft.ts';

export type Upstreams = Map<string, Directive>;

/** What `proxy_pass` names: origins, and what they are asked for below a path. */
export interface Passed {
  protocol: 'http' | 'https';
  host: string;
  port: number | undefined;
  /** Behind the host; empty: as the visitor asked. */
  path: string;
}

export function readPass(text: string): Passed | undefined {
  const [, protocol, host, port, path = ''] =
    /^(https?):\/\/([^/:$]+|\[[^\]]+\])(?::(\d+))?(\/[^$]*)?$/.exec(text) ?? [];
  if (protocol === undefined || host === undefined) return undefined;
  return {
    protocol: protocol as 'http' | 'https',
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port === undefined ? undefined : Number(port),
    path,
  };
}

/** Fills the origins of a draft; one that has some keeps them. */
export function takeOrigins(draft: Draft, passed: Passed, upstreams: Upstreams, directive: Directive): void {
  const upstream = upstreams.get(passed.host);
  const { protocol, host, port } = passed;
  const origins =
    upstream === undefined ? [portsOf(protocol, host, port)] : membersOf(draft, upstream, protocol);
  const what = `${directive.name} ${directive.args.join(' ')}`;
  if (draft.origins.length > 0) {
    if (JSON.stringify(draft.origins) !== JSON.stringify(origins) || draft.config['protocol'] !== protocol)
      note(draft, what, 'several_origins', directive.line);
    return;
  }
  draft.origins = origins;
  draft.config['protocol'] = protocol;
}

function portsOf(protocol: 'http' | 'https', address: string, port: number | undefined) {
  if (port === undefined) return { address };
  return protocol === 'http' ? { address, http_port: port } : { address, https_port: port };
}

const methods: Record<string, string> = { least_conn: 'least_conn', ip_hash: 'ip_hash', random: 'random' };
/** What the edge decides for itself. */
const passedOver = new Set(['keepalive', 'keepalive_timeout', 'keepalive_requests', 'zone', 'resolver']);

function membersOf(draft: Draft, upstream: Directive, protocol: 'http' | 'https'): Draft['origins'] {
  const origins: Draft['origins'] = [];
  for (const each of upstream.block ?? []) {
    if (each.name in methods) draft.config['method'] = methods[each.name];
    else if (each.name === 'hash')
      draft.config['method'] = each.args.includes('consistent') ? 'consistent' : 'url_hash';
    else if (each.name === 'server') {
      const origin = memberOf(each, protocol);
      if (origin === undefined) note(draft, `server ${each.args.join(' ')}`, 'bad_value', each.line);
      else origins.push(origin);
    } else if (!passedOver.has(each.name))
      note(draft, `${each.name} ${each.args.join(' ')}`, 'unknown', each.line);
  }
  return origins;
}

function memberOf({ args }: Directive, protocol: 'http' | 'https'): Draft['origins'][number] | undefined {
  const [place = '', ...options] = args;
  const [, host, port] = /^(\[[^\]]+\]|[^:/]+)(?::(\d+))?$/.exec(place) ?? [];
  if (host === undefined) return undefined;
  const origin = {
    ...portsOf(
      protocol,
      host.replace(/^\[|\]$/g, '').toLowerCase(),
      port === undefined ? undefined : Number(port),
    ),
  } as Draft['origins'][number];
  for (const option of options) {
    const [name, value = ''] = option.split('=');
    if (name === 'backup' || name === 'down') origin.state = name;
    else if (name === 'weight') origin.weight = Math.min(100, Math.max(1, Number(value) || 1));
    else if (name === 'max_fails') origin.max_fails = Math.min(100, Number(value) || 0);
    else if (name === 'max_conns') origin.max_conns = Math.min(65_535, Number(value) || 0);
    else if (name === 'fail_timeout') origin.fail_timeout_seconds = Math.min(3600, secondsOf(value) ?? 10);
  }
  return origin;
}

const units: Record<string, number> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
};

/** nginx's times: `30`, `30s`, `1h30m`, `7d`. */
export function secondsOf(text: string): number | undefined {
  if (!/^(?:\d+(?:ms|[smhdwMy])?\s?)+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit = 's'] of text.matchAll(/(\d+)(ms|[smhdwMy])?/g))
    seconds += Number(count) * units[unit]!;
  return Math.max(1, Math.round(seconds));
}

/** nginx's sizes: `10m`, `512k`. */
export function bytesOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([kKmMgG]?)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * 1024 ** ['', 'k', 'm', 'g'].indexOf(unit.toLowerCase());
}
