import { createHash, createHmac } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { expect, it } from 'vitest';
import { huaweiAuthorization, makeHuaweicloud } from './huaweicloud.ts';
import { describeVendor, must, reach, Refusal, type Store, type Stored } from './test-vendor.ts';

/** By https://support.huaweicloud.com/api-dns/dns_api_62003.html, dns_api_64001 and those after it, and ErrorCode.html there. */

it('signs as in the example of the documents', () => {
  // https://support.huaweicloud.com/devg-apisign/api-sign-algorithm-005.html; the key is the one of its SDK's own test of it.
  const parts = {
    method: 'GET',
    path: '/v1/77b6a44cba5143ab91d13ab9a8ff44fd/vpcs',
    query: 'limit=2&marker=13551d6b-755d-4757-b956-536f674975c0',
    headers: {
      'content-type': 'application/json',
      host: 'service.region.example.com',
      'x-sdk-date': '20191115T033655Z',
    },
    body: '',
  };
  expect(huaweiAuthorization(parts, 'QTWAOYTTINDUT2QVKYUC', 'MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc')).toBe(
    'SDK-HMAC-SHA256 Access=QTWAOYTTINDUT2QVKYUC, SignedHeaders=content-type;host;x-sdk-date, Signature=7be6668032f70418fcc22abc52071e57aff61b84a1d2381bb430d6870f4f6ebe',
  );
});

const [accessKey, secretKey] = ['HUAWEI-AK', 'huawei-test-secret'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const statuses: Record<string, number> = {
  'APIGW.0301': 401,
  'DNS.0302': 404,
  'DNS.0313': 404,
};

function checkSigned({ method, path, rawQuery, headers, body }: VendorRequest): void {
  const given = /^SDK-HMAC-SHA256 Access=(\S+), SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/.exec(
    String(headers.authorization),
  );
  must(given !== null && given[1] === accessKey, 'APIGW.0301');
  const names = given[2]!.split(';');
  must(names.includes('host') && names.includes('x-sdk-date'), 'APIGW.0301');
  const date = String(headers['x-sdk-date']);
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  must(Math.abs(Date.now() - Date.parse(iso)) < 15 * 60_000, 'APIGW.0301');
  const uri = path.endsWith('/') ? path : `${path}/`;
  const query = rawQuery === '' ? '' : rawQuery.split('&').sort().join('&');
  const lines = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('');
  const canonical = [method, uri, query, lines, names.join(';'), sha256(body)].join('\n');
  const toSign = `SDK-HMAC-SHA256\n${date}\n${sha256(canonical)}`;
  must(given[3] === createHmac('sha256', secretKey).update(toSign).digest('hex'), 'APIGW.0301');
}

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    checkSigned(request);
    return act(request, store);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const status = statuses[error.code] ?? 400;
    const isGateway = error.code.startsWith('APIGW');
    const body = isGateway
      ? { error_code: error.code, error_msg: 'no', request_id: 'r' }
      : { code: error.code, message: 'no' };
    return { status, body };
  }
}

/** Each record of ours is one value of a set; a set has an id, which its values share here. */
function setsOf(records: Stored[]) {
  const sets = new Map<string, Stored[]>();
  for (const record of records) sets.set(record.id, [...(sets.get(record.id) ?? []), record]);
  return [...sets.values()].map((values) => {
    const { id, name, type, line, ttl } = values[0]!;
    return {
      id,
      name: `${name}.`,
      type,
      line,
      ttl,
      records: values.map(({ value }) => value),
      status: 'ACTIVE',
    };
  });
}

function pageOf<Item>(query: URLSearchParams, items: Item[]) {
  const [limit, offset] = [Number(query.get('limit') ?? 500), Number(query.get('offset') ?? 0)];
  must(limit >= 0 && limit <= 500, 'DNS.0006');
  return { items: items.slice(offset, offset + limit), metadata: { total_count: items.length } };
}

interface Body {
  name: string;
  type: string;
  line?: string;
  ttl?: number;
  records: string[];
}

function act({ method, path, query, body }: VendorRequest, store: Store): VendorReply {
  if (path === '/v2/zones') {
    must(query.get('type') === 'public', 'DNS.0008');
    const zones = [...store.zones].map(([name, { id }]) => ({ id, name: `${name}.` }));
    const { items, metadata } = pageOf(query, zones);
    return { body: { zones: items, metadata } };
  }
  const [, zoneId = '', setId] = /^\/v2\.1\/zones\/(\w+)\/recordsets(?:\/(\w+))?$/.exec(path) ?? [];
  const zone = store.zone(zoneId);
  must(zone !== undefined, 'DNS.0302');
  if (method === 'GET') {
    const [name, type] = [query.get('name'), query.get('type')];
    must(name === null || query.get('search_mode') === 'equal', 'DNS.0002');
    const found = setsOf(zone.records).filter(
      (set) => (name === null || set.name === name) && (type === null || set.type === type),
    );
    const { items, metadata } = pageOf(query, found);
    return { body: { recordsets: items, metadata } };
  }
  store.writing();
  const removeSet = () => {
    const had = zone.records.length;
    while (store.remove(setId!));
    must(zone.records.length < had, 'DNS.0313');
  };
  if (method === 'DELETE') {
    removeSet();
    return { status: 202 };
  }
  const { name, type, line = 'default_view', ttl = 300, records } = JSON.parse(body) as Body;
  must(name.endsWith(`${zone.name}.`), 'DNS.0304');
  must(records.length > 0 && new Set(records).size === records.length, 'DNS.0308');
  if (type === 'TXT') for (const value of records) must(value.startsWith('"'), 'DNS.0308');
  const known = setsOf(zone.records).find(
    (set) => set.name === name && set.type === type && set.line === line,
  );
  if (method === 'POST') must(known === undefined, 'DNS.0312');
  const before = zone.records.find(({ id }) => id === setId);
  if (method === 'PUT') removeSet();
  const id = method === 'PUT' ? setId! : store.nextId();
  const kept = { id, name: name.slice(0, -1), type, line: before?.line ?? line, ttl };
  zone.records.push(...records.map((value) => ({ ...kept, value })));
  return { status: 202, body: { id } };
}

describeVendor({
  name: 'Huawei Cloud DNS',
  zoneCount: 501,
  recordCount: 501,
  answer,
  make: (url, key) =>
    makeHuaweicloud(
      {
        access_key: accessKey,
        secret_key: key === 'right' ? secretKey : 'wrong',
        endpoint: 'dns.cn-north-4.myhuaweicloud.com',
      },
      { reach },
      url,
    ),
  secret: secretKey,
  refused: (message) => ({ status: 400, body: { code: 'DNS.0002', message } }),
  limited: { status: 403, body: { code: 'DNS.0014', message: 'Request forbidden by flow control.' } },
  telecom: 'Dianxin',
  defaultLine: 'default_view',
  kept: { txt: '"a text"', mx: { value: '10 mx.example.net.' } },
  putsAnyway: true,
});
