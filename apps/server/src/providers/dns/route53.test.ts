import { createHash, createHmac } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { expect, it } from 'vitest';
import { makeRoute53, sigV4Authorization } from './route53.ts';
import { describeVendor, must, reach, Refusal, type Store, type Stored } from './test-vendor.ts';

/** By https://docs.aws.amazon.com/Route53/latest/APIReference/ (ListHostedZones, ListResourceRecordSets, ChangeResourceRecordSets). */

const example = {
  keyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};

it('signs as in the test suite of Signature Version 4', () => {
  // https://docs.aws.amazon.com/general/latest/gr/signature-v4-test-suite.html, `get-vanilla`
  const parts = {
    method: 'GET',
    path: '/',
    query: '',
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' },
    body: '',
  };
  expect(sigV4Authorization(parts, { ...example, service: 'service' })).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  );
});

it('signs a query as in the example of the documents', () => {
  // https://docs.aws.amazon.com/general/latest/gr/sigv4-create-canonical-request.html
  const parts = {
    method: 'GET',
    path: '/',
    query: 'Action=ListUsers&Version=2010-05-08',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      host: 'iam.amazonaws.com',
      'x-amz-date': '20150830T123600Z',
    },
    body: '',
  };
  expect(sigV4Authorization(parts, { ...example, service: 'iam' })).toContain(
    'Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  );
});

const [keyId, secret] = ['AKIA-test', 'aws-test-secret'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function checkSigned({ method, path, rawQuery, headers, body }: VendorRequest): void {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/us-east-1\/route53\/aws4_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/.exec(
      String(headers.authorization),
    );
  must(given !== null, 'MissingAuthenticationToken');
  const [, id, day = '', names = '', signature] = given;
  must(id === keyId, 'InvalidClientTokenId');
  const date = String(headers['x-amz-date']);
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  must(date.startsWith(day) && Math.abs(Date.now() - Date.parse(iso)) < 300_000, 'SignatureDoesNotMatch');
  // `host` and every `x-amz-` field have to be signed.
  for (const name of Object.keys(headers))
    if (name === 'host' || name.startsWith('x-amz-'))
      must(names.split(';').includes(name), 'SignatureDoesNotMatch');
  const query = rawQuery.split('&').sort().join('&');
  const lines = names
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
    .join('');
  const canonical = [method, path, query, lines, names, sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/us-east-1/route53/aws4_request`, sha256(canonical)].join(
    '\n',
  );
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), 'us-east-1'), 'route53'), 'aws4_request');
  must(signature === hmac(key, toSign).toString('hex'), 'SignatureDoesNotMatch');
}

const namespace = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
const refusal = (code: string, message: string, status: number): VendorReply => ({
  status,
  body: `<?xml version="1.0"?>\n<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
});
const statuses: Record<string, number> = {
  NoSuchHostedZone: 404,
  InvalidClientTokenId: 403,
  SignatureDoesNotMatch: 403,
  MissingAuthenticationToken: 403,
};

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    checkSigned(request);
    return act(request, store);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusal(error.code, 'no', statuses[error.code] ?? 400);
  }
}

function zonesOf(query: URLSearchParams, store: Store): VendorReply {
  const max = Number(query.get('maxitems') ?? 100);
  must(max <= 100, 'InvalidInput');
  const all = [...store.zones];
  const from = query.has('marker') ? all.findIndex(([, { id }]) => id === query.get('marker')) : 0;
  const page = all.slice(from, from + max);
  const next = all[from + max];
  const zones = page.map(
    ([name, { id }]) =>
      `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}.</Name><CallerReference>c</CallerReference><Config><PrivateZone>false</PrivateZone></Config></HostedZone>`,
  );
  const more = next
    ? `<IsTruncated>true</IsTruncated><NextMarker>${next[1].id}</NextMarker>`
    : '<IsTruncated>false</IsTruncated>';
  return {
    body: `<?xml version="1.0"?>\n<ListHostedZonesResponse ${namespace}><HostedZones>${zones.join('')}</HostedZones>${more}<MaxItems>${max}</MaxItems></ListHostedZonesResponse>`,
  };
}

interface RecordSet {
  name: string;
  type: string;
  ttl: number;
  values: string[];
}

function setsIn(records: readonly Stored[]): RecordSet[] {
  const sets = new Map<string, RecordSet>();
  for (const { name, type, ttl, value } of records) {
    const set = sets.get(`${name} ${type}`) ?? { name, type, ttl, values: [] };
    set.values.push(value);
    sets.set(`${name} ${type}`, set);
  }
  return [...sets.values()].sort((one, other) =>
    `${one.name} ${one.type}` < `${other.name} ${other.type}` ? -1 : 1,
  );
}

const octal = (name: string) => name.replace('*', '\\052');

function listSets(query: URLSearchParams, records: readonly Stored[]): VendorReply {
  const max = Number(query.get('maxitems') ?? 300);
  must(max <= 300, 'InvalidInput');
  must(!query.has('type') || query.has('name'), 'InvalidInput');
  const start = `${(query.get('name') ?? '').replace('\\052', '*').replace(/\.$/, '')} ${query.get('type') ?? ''}`;
  const all = setsIn(records).filter(({ name, type }) => start === ' ' || `${name} ${type}` >= start);
  const next = all[max];
  const sets = all
    .slice(0, max)
    .map(
      ({ name, type, ttl, values }) =>
        `<ResourceRecordSet><Name>${octal(name)}.</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${values
          .map((value) => `<ResourceRecord><Value>${escaped(value)}</Value></ResourceRecord>`)
          .join('')}</ResourceRecords></ResourceRecordSet>`,
    );
  const more = next
    ? `<IsTruncated>true</IsTruncated><NextRecordName>${octal(next.name)}.</NextRecordName><NextRecordType>${next.type}</NextRecordType>`
    : '<IsTruncated>false</IsTruncated>';
  return {
    body: `<?xml version="1.0"?>\n<ListResourceRecordSetsResponse ${namespace}><ResourceRecordSets>${sets.join('')}</ResourceRecordSets>${more}<MaxItems>${max}</MaxItems></ListResourceRecordSetsResponse>`,
  };
}

function changeSets(body: string, store: Store, zone: string): VendorReply {
  must(body.includes(`<ChangeResourceRecordSetsRequest ${namespace}>`), 'InvalidInput');
  store.writing();
  const records = store.records(zone);
  const before = [...records];
  for (const [, change = ''] of body.matchAll(/<Change>(.*?)<\/Change>/gs)) {
    const [, action] = /<Action>(\w+)<\/Action>/.exec(change)!;
    const [, rawName = ''] = /<Name>([^<]+)\.<\/Name>/.exec(change)!;
    const name = unescaped(rawName);
    const [, type = ''] = /<Type>(\w+)<\/Type>/.exec(change)!;
    const ttl = Number(/<TTL>(\d+)<\/TTL>/.exec(change)![1]);
    const values = [...change.matchAll(/<Value>(.*?)<\/Value>/gs)].map(([, value = '']) => unescaped(value));
    const known = setsIn(records).find((set) => set.name === name && set.type === type);
    if (action === 'DELETE') {
      const isSame = known?.ttl === ttl && known.values.toSorted().join() === values.toSorted().join();
      if (!isSame) records.splice(0, Infinity, ...before);
      must(isSame, 'InvalidChangeBatch');
    } else must(action === 'UPSERT', 'InvalidChangeBatch');
    for (const record of records.filter((each) => each.name === name && each.type === type))
      store.remove(record.id);
    if (action === 'UPSERT')
      records.push(...values.map((value) => ({ id: store.nextId(), name, type, line: '', ttl, value })));
  }
  return {
    body: `<?xml version="1.0"?>\n<ChangeResourceRecordSetsResponse ${namespace}><ChangeInfo><Id>/change/C1</Id><Status>PENDING</Status></ChangeInfo></ChangeResourceRecordSetsResponse>`,
  };
}

function act({ method, path, query, body }: VendorRequest, store: Store): VendorReply {
  if (path === '/2013-04-01/hostedzone' && method === 'GET') return zonesOf(query, store);
  const [, id = '', slash] = /^\/2013-04-01\/hostedzone\/(\w+)\/rrset(\/?)$/.exec(path) ?? [];
  const zone = store.zone(id);
  must(zone !== undefined, 'NoSuchHostedZone');
  if (method === 'GET') return listSets(query, zone.records);
  must(method === 'POST' && slash === '/', 'InvalidAction');
  return changeSets(body, store, zone.name);
}

describeVendor({
  name: 'AWS Route 53',
  zoneCount: 201,
  recordCount: 601,
  answer,
  make: (url, key) =>
    makeRoute53(
      {
        access_key_id: keyId,
        secret_access_key: key === 'right' ? secret : 'wrong',
        endpoint: 'route53.amazonaws.com',
      },
      { reach },
      url,
    ),
  secret,
  refused: (words) => refusal('InvalidInput', words, 400),
  limited: refusal('Throttling', 'Rate exceeded', 400),
  kept: { txt: '"a text"', mx: { value: '10 mx.example.net.' } },
  putsAnyway: true,
});
