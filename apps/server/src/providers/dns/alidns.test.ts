import { createHmac } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { expect, it } from 'vitest';
import { aliyunSignature, makeAlidns } from './alidns.ts';
import { describeVendor, must, reach, Refusal, type Store } from './test-vendor.ts';

/** By https://help.aliyun.com/document_detail/29747.html (signature), 29751, 29772, 29774, 29776 (calls) and 29772 (errors). */

it('signs as in the example of the documents', () => {
  // https://help.aliyun.com/document_detail/29819.html
  const query = {
    Format: 'XML',
    AccessKeyId: 'testid',
    Action: 'DescribeDomainRecords',
    SignatureMethod: 'HMAC-SHA1',
    DomainName: 'example.com',
    SignatureNonce: 'f59ed6a9-83fc-473b-9cc6-99c95df3856e',
    SignatureVersion: '1.0',
    Version: '2015-01-09',
    Timestamp: '2016-03-24T16:41:54Z',
  };
  expect(aliyunSignature('GET', query, 'testsecret')).toBe('uRpHwaSEt3J+6KQD//svCh/x+pI=');
});

const [keyId, secret] = ['LTAI-test', 'aliyun-test-secret'];
const nonces = new Set<string>();

const encode = (text: string) =>
  encodeURIComponent(text)
    .replace(/!/g, '%21')
    .replace(/'/g, '%27')
    .replace(/\(/g, '%28')
    .replace(/\)/g, '%29')
    .replace(/\*/g, '%2A');

function checkSigned({ method, query, path }: VendorRequest): void {
  must(path === '/', 'InvalidAction.NotFound');
  must(query.get('Version') === '2015-01-09', 'InvalidVersion');
  must(query.get('Format') === 'JSON', 'InvalidFormat');
  must(query.get('AccessKeyId') === keyId, 'InvalidAccessKeyId.NotFound');
  must(query.get('SignatureMethod') === 'HMAC-SHA1', 'IncompleteSignature');
  must(query.get('SignatureVersion') === '1.0', 'IncompleteSignature');
  const time = query.get('Timestamp') ?? '';
  must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(time), 'InvalidTimeStamp.Format');
  must(Math.abs(Date.now() - Date.parse(time)) < 15 * 60_000, 'InvalidTimeStamp.Expired');
  const nonce = query.get('SignatureNonce') ?? '';
  must(nonce !== '' && !nonces.has(nonce), 'SignatureNonceUsed');
  nonces.add(nonce);
  const signed = [...query]
    .filter(([name]) => name !== 'Signature')
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
  const toSign = `${method}&%2F&${encode(signed)}`;
  const expected = createHmac('sha1', `${secret}&`).update(toSign).digest('base64');
  must(query.get('Signature') === expected, 'SignatureDoesNotMatch');
}

function pageOf<Item>(query: URLSearchParams, items: Item[], max: number) {
  const [number, size] = [Number(query.get('PageNumber') ?? 1), Number(query.get('PageSize') ?? 20)];
  must(size >= 1 && size <= max, 'InvalidPageSize');
  const page = items.slice((number - 1) * size, number * size);
  return { page, TotalCount: items.length, PageNumber: number, PageSize: size };
}

const messages: Record<string, number> = {
  'InvalidAccessKeyId.NotFound': 404,
  DomainRecordNotBelongToUser: 403,
};

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    checkSigned(request);
    return { body: { RequestId: 'r', ...act(request.query, store) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { RequestId: 'r', Code: error.code, Message: 'Specified parameter is wrong.' };
    return { status: messages[error.code] ?? 400, body };
  }
}

function act(query: URLSearchParams, store: Store): object {
  const need = (name: string) => {
    const value = query.get(name);
    must(value !== null && value !== '', `MissingParameter.${name}`);
    return value;
  };
  const zoneOf = () => {
    const zone = store.zone(need('DomainName'));
    must(zone !== undefined, 'InvalidDomainName.NoExist');
    return zone;
  };
  const written = (zone: string) => {
    must(Number(query.get('TTL') ?? 600) >= store.ttlSecondsMin, 'QuotaExceeded.TTL');
    return fieldsOf(zone);
  };
  const fieldsOf = (zone: string) => ({
    name: need('RR') === '@' ? zone : `${need('RR')}.${zone}`,
    type: need('Type'),
    line: query.get('Line') ?? 'default',
    ttl: Number(query.get('TTL') ?? 600),
    value: need('Value'),
    ...(need('Type') === 'MX' ? { priority: Number(need('Priority')) } : {}),
  });
  switch (query.get('Action')) {
    case 'DescribeDomains': {
      const { page, ...rest } = pageOf(query, [...store.zones.keys()], 100);
      return {
        ...rest,
        Domains: { Domain: page.map((DomainName) => ({ DomainName, PunyCode: DomainName })) },
      };
    }
    case 'DescribeDomainRecords': {
      const { name: zone, records } = zoneOf();
      const [rr, type] = [query.get('RRKeyWord'), query.get('TypeKeyWord')];
      const rrOf = (name: string) => (name === zone ? '@' : name.slice(0, -zone.length - 1));
      const found = records.filter(
        // By `%RRKeyWord%`: whatever has it within.
        (each) => (rr === null || rrOf(each.name).includes(rr)) && (type === null || each.type === type),
      );
      const { page, ...rest } = pageOf(query, found, 500);
      const Record = page.map(({ id, name, type: Type, line, ttl, value, priority }) => ({
        RecordId: id,
        RR: rrOf(name),
        Type,
        Line: line,
        TTL: ttl,
        Value: value,
        Status: 'ENABLE',
        ...(priority === undefined ? {} : { Priority: priority }),
      }));
      return { ...rest, DomainRecords: { Record } };
    }
    case 'AddDomainRecord': {
      const { name: zone, records } = zoneOf();
      const record = written(zone);
      store.writing();
      const isSame = records.some(
        (each) =>
          each.name === record.name &&
          each.type === record.type &&
          each.line === record.line &&
          each.value === record.value,
      );
      must(!isSame, 'DomainRecordDuplicate');
      const RecordId = store.nextId();
      records.push({ id: RecordId, ...record });
      return { RecordId };
    }
    case 'UpdateDomainRecord': {
      const known = store.find(need('RecordId'));
      store.writing();
      must(known !== undefined, 'DomainRecordNotBelongToUser');
      Object.assign(known, written('example.com'));
      return { RecordId: known.id };
    }
    case 'DeleteDomainRecord': {
      store.writing();
      must(store.remove(need('RecordId')), 'DomainRecordNotBelongToUser');
      return { RecordId: need('RecordId') };
    }
    default:
      throw new Refusal('InvalidAction.NotFound');
  }
}

describeVendor({
  name: 'Alibaba Cloud DNS',
  zoneCount: 201,
  recordCount: 501,
  answer,
  make: (url, key) =>
    makeAlidns(
      {
        access_key_id: keyId,
        access_key_secret: key === 'right' ? secret : 'wrong',
        endpoint: 'alidns.aliyuncs.com',
      },
      { reach },
      url,
    ),
  secret,
  refused: (Message) => ({ status: 400, body: { Code: 'InvalidParameter', Message } }),
  limited: {
    status: 400,
    body: { Code: 'Throttling.User', Message: 'Request was denied due to user flow control.' },
  },
  hasPlans: true,
  telecom: 'telecom',
  defaultLine: 'default',
  kept: { txt: 'a text', mx: { value: 'mx.example.net', priority: 10 } },
});
