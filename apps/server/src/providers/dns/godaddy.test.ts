import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { makeGodaddy } from './godaddy.ts';
import { describeVendor, must, reach, Refusal, type Store } from './test-vendor.ts';

/** By https://developer.godaddy.com/doc/endpoint/domains (`list`, `recordGet`, `recordReplaceTypeName`, `recordDeleteTypeName`). */

const [key, secret] = ['godaddy-key', 'godaddy-test-secret'];
const statuses: Record<string, number> = { UNABLE_TO_AUTHENTICATE: 401, NOT_FOUND: 404, UNKNOWN_DOMAIN: 404 };

interface Item {
  data: string;
  ttl: number;
  priority?: number;
}

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    must(request.headers.authorization === `sso-key ${key}:${secret}`, 'UNABLE_TO_AUTHENTICATE');
    return act(request, store);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: statuses[error.code] ?? 422, body: { code: error.code, message: 'no' } };
  }
}

function act({ method, path, query, body }: VendorRequest, store: Store): VendorReply {
  if (path === '/v1/domains' && method === 'GET') {
    const limit = Number(query.get('limit') ?? 100);
    must(limit >= 1 && limit <= 1000, 'INVALID_BODY');
    const marker = query.get('marker');
    const names = [...store.zones.keys()].sort().filter((name) => marker === null || name > marker);
    return { body: names.slice(0, limit).map((domain) => ({ domain, status: 'ACTIVE', domainId: 1 })) };
  }
  const [, domain = '', type, encoded] =
    /^\/v1\/domains\/([^/]+)\/records(?:\/(\w+)\/([^/]+))?$/.exec(path) ?? [];
  const zone = store.zone(domain);
  must(zone !== undefined, 'UNKNOWN_DOMAIN');
  const host = encoded === undefined ? undefined : decodeURIComponent(encoded);
  const name = host === undefined || host === '@' ? zone.name : `${host}.${zone.name}`;
  const isMeant = (each: { name: string; type: string }) =>
    host === undefined || (each.name === name && each.type === type);
  if (method === 'GET')
    return {
      body: zone.records.filter(isMeant).map((each) => ({
        type: each.type,
        name: each.name === zone.name ? '@' : each.name.slice(0, -zone.name.length - 1),
        data: each.value,
        ttl: each.ttl,
        ...(each.priority === undefined ? {} : { priority: each.priority }),
      })),
    };
  must(host !== undefined && type !== undefined, 'INVALID_BODY');
  store.writing();
  const had = zone.records.filter(isMeant);
  if (method === 'DELETE') {
    must(had.length > 0, 'NOT_FOUND');
    for (const { id } of had) store.remove(id);
    return { status: 204, body: '' };
  }
  must(method === 'PUT', 'INVALID_BODY');
  const items = JSON.parse(body) as Item[];
  for (const { data, ttl, priority } of items) {
    must(ttl >= 600 && ttl <= 604_800, 'INVALID_VALUE');
    must(data !== '' && !data.endsWith('.') && data.length <= 1024, 'INVALID_VALUE');
    must((priority !== undefined) === (type === 'MX'), 'INVALID_VALUE');
  }
  for (const { id } of had) store.remove(id);
  zone.records.push(
    ...items.map(({ data, ttl, priority }) => ({
      id: store.nextId(),
      name,
      type,
      line: '',
      ttl,
      value: data,
      ...(priority === undefined ? {} : { priority }),
    })),
  );
  return { status: 200, body: '' };
}

describeVendor({
  name: 'GoDaddy',
  zoneCount: 1001,
  recordCount: 0,
  answer,
  make: (url, which) =>
    makeGodaddy({ api_key: key, api_secret: which === 'right' ? secret : 'wrong' }, { reach }, url),
  secret,
  refused: (message) => ({ status: 422, body: { code: 'INVALID_BODY', message } }),
  limited: {
    status: 429,
    body: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests', retryAfterSec: 30 },
  },
  without: ['SRV', 'CAA'],
  kept: { txt: 'a text', mx: { value: 'mx.example.net', priority: 10 } },
  putsAnyway: true,
});
