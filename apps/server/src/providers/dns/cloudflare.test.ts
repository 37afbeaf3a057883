import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { makeCloudflare } from './cloudflare.ts';
import { describeVendor, must, reach, Refusal, type Store, type Stored } from './test-vendor.ts';

/** By https://developers.cloudflare.com/api/resources/dns/subresources/records/ and `zones/methods/list`. There is no signature. */

const token = 'cloudflare-test-token';
const ok = (result: unknown, more: object = {}): VendorReply => ({
  body: { success: true, errors: [], messages: [], result, ...more },
});
const refused = (code: number, message: string, status = 400): VendorReply => ({
  status,
  body: { success: false, errors: [{ code, message }], messages: [], result: null },
});
const statuses: Record<string, number> = { '9109': 403, '7003': 404, '81044': 404 };

function pageOf(query: URLSearchParams, items: unknown[], max: number): VendorReply {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
  must(size >= 5 && size <= max, '1004');
  const info = {
    page,
    per_page: size,
    total_count: items.length,
    total_pages: Math.ceil(items.length / size),
  };
  return ok(items.slice((page - 1) * size, page * size), { result_info: info });
}

const shown = ({ id, name, type, ttl, value, priority }: Stored) => ({
  id,
  name,
  type,
  content: value,
  ttl,
  proxied: false,
  ...(priority === undefined ? {} : { priority }),
});

interface Body {
  name: string;
  type: string;
  content?: string;
  ttl: number;
  priority?: number;
  data?: Record<string, string | number>;
}

function stored({ name, type, content, ttl, priority, data }: Body): Omit<Stored, 'id'> {
  must(ttl === 1 || (ttl >= 60 && ttl <= 86_400), '9021');
  const shared = { name, type, ttl, line: '' };
  // Of these the parts are wanted, and the content is read.
  if (type === 'SRV') {
    must(data !== undefined, '9101');
    const { priority: first, weight, port, target } = data;
    return { ...shared, value: `${weight} ${port} ${target}`, priority: Number(first) };
  }
  if (type === 'CAA') {
    must(data !== undefined, '9101');
    return { ...shared, value: `${data['flags']} ${data['tag']} "${data['value']}"` };
  }
  must(content !== undefined && !content.endsWith('.'), '9000');
  if (type === 'TXT') must(content.startsWith('"') && content.length <= 2048, '9207');
  if (type === 'MX') must(priority !== undefined, '9100');
  return { ...shared, value: content, ...(priority === undefined ? {} : { priority }) };
}

interface Batch {
  deletes?: { id: string }[];
  patches?: (Body & { id: string })[];
  posts?: Body[];
}

/** In the order of the documents: deletes, patches, posts; all of it or nothing. */
function batch(store: Store, zone: string, { deletes = [], patches = [], posts = [] }: Batch): VendorReply {
  must(deletes.length + patches.length + posts.length <= 200, '1004');
  store.writing();
  const before = structuredClone(store.records(zone));
  try {
    for (const { id } of deletes) must(store.remove(id), '81044');
    for (const { id, ...body } of patches) {
      const known = store.find(id);
      must(known !== undefined, '81044');
      Object.assign(known, stored(body));
    }
    for (const body of posts) {
      const record = stored(body);
      const isSame = store
        .records(zone)
        .some(
          (each) => each.name === record.name && each.type === record.type && each.value === record.value,
        );
      must(!isSame, '81058');
      store.records(zone).push({ id: store.nextId(), ...record });
    }
    return ok({});
  } catch (error) {
    store.records(zone).splice(0, Infinity, ...before);
    throw error;
  }
}

function answer({ method, path, query, headers, body }: VendorRequest, store: Store): VendorReply {
  try {
    must(headers.authorization === `Bearer ${token}`, '9109');
    if (path === '/client/v4/zones') {
      const zones = [...store.zones].map(([name, { id }]) => ({ id, name, status: 'active' }));
      return pageOf(query, zones, 50);
    }
    const [, id = '', isBatch] = /^\/client\/v4\/zones\/([^/]+)\/dns_records(\/batch)?$/.exec(path) ?? [];
    const zone = store.zone(id);
    must(zone !== undefined, '7003');
    if (method === 'POST' && isBatch) return batch(store, zone.name, JSON.parse(body) as Batch);
    must(method === 'GET', '7001');
    const [name, type] = [query.get('name'), query.get('type')];
    const found = zone.records.filter(
      (each) => (name === null || each.name === name) && (type === null || each.type === type),
    );
    return pageOf(query, found.map(shown), 5_000_000);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(Number(error.code), 'no', statuses[error.code] ?? 400);
  }
}

describeVendor({
  name: 'Cloudflare',
  zoneCount: 101,
  recordCount: 201,
  answer,
  make: (url, key) =>
    makeCloudflare({ api_token: key === 'right' ? token : 'wrong' }, { reach }, `${url}/client/v4`),
  secret: token,
  refused: (message) => refused(1004, message),
  limited: refused(971, 'Please wait and consider throttling your request speed', 429),
  kept: { txt: '"a text"', mx: { value: 'mx.example.net', priority: 10 } },
});
