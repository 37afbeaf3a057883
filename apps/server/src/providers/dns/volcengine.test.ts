import { createHash, createHmac } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { expect, it } from 'vitest';
import { describeVendor, must, reach, Refusal, type Store } from './test-vendor.ts';
import { makeVolcengine, volcengineAuthorization } from './volcengine.ts';

/** By https://www.volcengine.com/docs/6758/155086 and the pages of each call beside it; errors: https://www.volcengine.com/docs/6758/163143. */

it('signs as in the example of the documents', () => {
  // https://www.volcengine.com/docs/6369/67270
  const parts = {
    method: 'GET',
    path: '/',
    query: 'Action=ListUsers&Limit=10&Offset=0&Version=2018-01-01',
    headers: { host: 'iam.volcengineapi.com', 'x-date': '20240619T071306Z' },
    body: '',
  };
  const key = {
    keyId: 'AKLTYWViMTVmZGYzM2E0NDI5Mzk2MDZjNjFmMjc2MjRjMzg',
    secret: 'WkRZeE1EQmxPVGhsWWpWak5HVmtNbUUxTXpZeU9UVXlOMlE1TmpZeVlqTQ==',
    region: 'cn-beijing',
    service: 'iam',
  };
  expect(volcengineAuthorization(parts, key)).toBe(
    'HMAC-SHA256 Credential=AKLTYWViMTVmZGYzM2E0NDI5Mzk2MDZjNjFmMjc2MjRjMzg/20240619/cn-beijing/iam/request, SignedHeaders=host;x-date, Signature=e31c4558bcfe08a286001f59cedbf0791ffd0b2362f10e55ee2627467bcdde93',
  );
});

const [keyId, secret] = ['AKLT-test', 'volcengine-test-secret'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function checkSigned({ method, path, query, headers, body }: VendorRequest): void {
  must(path === '/' && query.get('Version') === '2018-08-01', 'InvalidActionOrVersion');
  const given =
    /^HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/cn-north-1\/DNS\/request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/.exec(
      String(headers.authorization),
    );
  must(given !== null, 'InvalidAuthorization');
  const [, id, day = '', names = '', signature] = given;
  must(id === keyId, 'InvalidAccessKey');
  const date = String(headers['x-date']);
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  must(date.startsWith(day) && Math.abs(Date.now() - Date.parse(iso)) < 900_000, 'InvalidTimestamp');
  must(headers['x-content-sha256'] === sha256(body), 'SignatureDoesNotMatch');
  for (const name of ['host', 'x-date']) must(names.split(';').includes(name), 'SignatureDoesNotMatch');
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const sorted = [...query]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const lines = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, '/', sorted, lines, names, sha256(body)].join('\n');
  const toSign = ['HMAC-SHA256', date, `${day}/cn-north-1/DNS/request`, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(secret, day), 'cn-north-1'), 'DNS'), 'request');
  must(signature === hmac(key, toSign).toString('hex'), 'SignatureDoesNotMatch');
}

const statuses: Record<string, number> = {
  InvalidAccessKey: 401,
  SignatureDoesNotMatch: 401,
  ErrDBDuplicated: 409,
};

function answer(request: VendorRequest, store: Store): VendorReply {
  const metadata = { RequestId: 'r', Action: request.query.get('Action'), Service: 'dns' };
  try {
    checkSigned(request);
    return { body: { ResponseMetadata: metadata, Result: act(request, store) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const Error = { Code: error.code, Message: 'no' };
    return { status: statuses[error.code] ?? 400, body: { ResponseMetadata: { ...metadata, Error } } };
  }
}

function pageOf<Item>(query: URLSearchParams, items: Item[], max: number): Item[] {
  const [number, size] = [Number(query.get('PageNumber') ?? 1), Number(query.get('PageSize') ?? 10)];
  must(size >= 1 && size <= max, 'ErrPageSizeNotValid');
  return items.slice((number - 1) * size, number * size);
}

interface Body {
  ZID?: number;
  RecordID?: string;
  Host: string;
  Type: string;
  Line?: string;
  TTL?: number;
  Value: string;
}

function act({ method, query, body }: VendorRequest, store: Store): unknown {
  const action = query.get('Action');
  const needs = {
    ListZones: 'GET',
    ListRecords: 'GET',
    CreateRecord: 'POST',
    UpdateRecord: 'POST',
    DeleteRecord: 'POST',
  };
  must(method === needs[action as keyof typeof needs], 'InvalidActionOrVersion');
  const params = method === 'POST' ? (JSON.parse(body) as Body) : undefined;
  const zoneOf = (id: string) => {
    const zone = store.zone(id);
    must(zone !== undefined, 'ErrZoneNotFound');
    return zone;
  };
  const written = (zone: string, { Host, Type, Line = 'default', TTL = 600, Value }: Body) => {
    must(Host !== '', 'ErrHostCanNotBeEmpty');
    must(TTL >= store.ttlSecondsMin, 'ErrSpecNotValid');
    return { name: Host === '@' ? zone : `${Host}.${zone}`, type: Type, line: Line, ttl: TTL, value: Value };
  };
  if (action === 'ListZones') {
    const zones = [...store.zones].map(([ZoneName, { id }]) => ({ ZID: Number(id), ZoneName }));
    return { Total: zones.length, Zones: pageOf(query, zones, 100) };
  }
  if (action === 'ListRecords') {
    const { name: zone, records } = zoneOf(query.get('ZID') ?? '');
    const [host, type] = [query.get('Host'), query.get('Type')];
    const hostOf = (name: string) => (name === zone ? '@' : name.slice(0, -zone.length - 1));
    const isExact = query.get('SearchMode') === 'exact';
    const found = records.filter(({ name, type: of }) => {
      const own = hostOf(name);
      return (
        (host === null || (isExact ? own === host : own.includes(host))) && (type === null || of === type)
      );
    });
    const page = pageOf(query, found, 500).map(({ id, name, type: Type, line, ttl, value }) => ({
      RecordID: id,
      Host: hostOf(name),
      Type,
      Line: line,
      TTL: ttl,
      Value: value,
      Weight: 1,
      Enable: true,
    }));
    // Of nothing there is null.
    return { TotalCount: found.length, Records: page.length === 0 ? null : page };
  }
  must(params !== undefined, 'ErrParsingParams');
  if (action === 'CreateRecord') {
    const { name: zone, records } = zoneOf(String(params.ZID));
    store.writing();
    const record = written(zone, params);
    const key = (each: typeof record) => [each.name, each.type, each.line, each.value].join(' ');
    must(!records.some((each) => key(each) === key(record)), 'ErrDBDuplicated');
    const RecordID = store.nextId();
    records.push({ id: RecordID, ...record });
    return { RecordID };
  }
  store.writing();
  const known = store.find(params.RecordID ?? '');
  must(known !== undefined, 'ErrDBNotFound');
  if (action === 'DeleteRecord') store.remove(known.id);
  else Object.assign(known, written('example.com', params));
  return {};
}

describeVendor({
  name: 'Volcengine DNS',
  zoneCount: 101,
  recordCount: 501,
  answer,
  make: (url, key) =>
    makeVolcengine(
      { access_key_id: keyId, secret_access_key: key === 'right' ? secret : 'wrong' },
      { reach },
      url,
    ),
  secret,
  refused: (Message) => ({
    status: 400,
    body: { ResponseMetadata: { Error: { Code: 'ErrParamInvalid', Message } } },
  }),
  limited: {
    status: 429,
    body: { ResponseMetadata: { Error: { Code: 'FlowLimitExceeded', Message: 'too many' } } },
  },
  hasPlans: true,
  telecom: 'telecom',
  defaultLine: 'default',
  kept: { txt: 'a text', mx: { value: '10 mx.example.net.' } },
});
