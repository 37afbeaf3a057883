import { createHash, createHmac } from 'node:crypto';
import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { expect, it } from 'vitest';
import { makeDnspod, tc3Authorization } from './dnspod.ts';
import { describeVendor, must, reach, Refusal, type Store } from './test-vendor.ts';

/** By https://cloud.tencent.com/document/api/1427/56189 (signature) and the pages of each call beside it. */

it('signs as in the example of the documents', () => {
  // https://cloud.tencent.com/document/api/213/30654: keys are masked there, and signed as they are printed.
  const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}';
  const authorization = tc3Authorization({
    secretId: `AKID${'*'.repeat(32)}`,
    secretKey: '*'.repeat(32),
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    action: 'DescribeInstances',
    body,
    at: new Date(1_551_113_065_000),
  });
  expect(authorization).toBe(
    `TC3-HMAC-SHA256 Credential=AKID${'*'.repeat(32)}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=10b1a37a7301a02ca19a647ad722d5e43b4b3cff309d421d85b46093f6ab6c4f`,
  );
});

const [secretId, secretKey] = ['AKID-test', 'tencent-test-secret'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function checkSigned({ method, path, headers, body }: VendorRequest): void {
  must(method === 'POST' && path === '/', 'InvalidAction');
  must(headers['x-tc-version'] === '2021-03-23', 'NoSuchVersion');
  must(headers['content-type'] === 'application/json; charset=utf-8', 'AuthFailure.SignatureFailure');
  const time = String(headers['x-tc-timestamp']);
  must(Math.abs(Date.now() / 1000 - Number(time)) < 300, 'AuthFailure.SignatureExpire');
  const given =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/dnspod\/tc3_request, SignedHeaders=([\w;-]+), Signature=([\da-f]{64})$/.exec(
      String(headers.authorization),
    );
  must(given !== null, 'AuthFailure.InvalidAuthorization');
  const [, id, date = '', names = '', signature] = given;
  must(id === secretId, 'AuthFailure.SecretIdNotFound');
  must(date === new Date(Number(time) * 1000).toISOString().slice(0, 10), 'AuthFailure.SignatureFailure');
  for (const name of ['content-type', 'host'])
    must(names.split(';').includes(name), 'AuthFailure.SignatureFailure');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const toSign = ['TC3-HMAC-SHA256', time, `${date}/dnspod/tc3_request`, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), 'dnspod'), 'tc3_request');
  must(signature === hmac(key, toSign).toString('hex'), 'AuthFailure.SignatureFailure');
}

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    checkSigned(request);
    const params = JSON.parse(request.body) as Record<string, string | number | undefined>;
    return {
      body: { Response: { RequestId: 'r', ...act(String(request.headers['x-tc-action']), params, store) } },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { body: { Response: { RequestId: 'r', Error: { Code: error.code, Message: 'no' } } } };
  }
}

function pageOf<Item>(params: Record<string, unknown>, items: Item[]): Item[] {
  const [offset, limit] = [Number(params['Offset'] ?? 0), Number(params['Limit'] ?? 100)];
  must(limit >= 1 && limit <= 3000, 'InvalidParameterValue.LimitInvalid');
  return items.slice(offset, offset + limit);
}

function act(action: string, params: Record<string, string | number | undefined>, store: Store): object {
  const zoneOf = () => {
    const zone = store.zone(String(params['Domain']));
    must(zone !== undefined, 'InvalidParameterValue.DomainNotExists');
    return zone;
  };
  const written = (zone: string) => {
    for (const name of ['RecordType', 'RecordLine', 'Value'])
      must(params[name] !== undefined, 'MissingParameter');
    must(Number(params['TTL'] ?? 600) >= store.ttlSecondsMin, 'LimitExceeded.RecordTtlLimit');
    const host = params['SubDomain'] ?? '@';
    return {
      name: host === '@' ? zone : `${host}.${zone}`,
      type: String(params['RecordType']),
      line: String(params['RecordLineId'] ?? '0'),
      ttl: Number(params['TTL'] ?? 600),
      value: String(params['Value']),
      ...(params['RecordType'] === 'MX' ? { priority: Number(params['MX']) } : {}),
    };
  };
  switch (action) {
    case 'DescribeDomainList': {
      const names = [...store.zones.keys()];
      const DomainList = pageOf(params, names).map((Name) => ({ Name, Punycode: Name }));
      return { DomainCountInfo: { AllTotal: names.length }, DomainList };
    }
    case 'DescribeRecordList': {
      const { name: zone, records } = zoneOf();
      const hostOf = (name: string) => (name === zone ? '@' : name.slice(0, -zone.length - 1));
      const found = records.filter(
        (each) =>
          (params['Subdomain'] === undefined || hostOf(each.name) === params['Subdomain']) &&
          (params['RecordType'] === undefined || each.type === params['RecordType']),
      );
      // That there is none is said to be an error.
      must(found.length > 0, 'ResourceNotFound.NoDataOfRecord');
      const RecordList = pageOf(params, found).map(({ id, name, type, line, ttl, value, priority = 0 }) => ({
        RecordId: Number(id),
        Name: hostOf(name),
        Type: type,
        LineId: line,
        Line: 'x',
        TTL: ttl,
        Value: value,
        MX: priority,
      }));
      return { RecordCountInfo: { TotalCount: found.length }, RecordList };
    }
    case 'CreateRecord': {
      const { name: zone, records } = zoneOf();
      store.writing();
      const record = written(zone);
      const isSame = records.some(
        ({ name, type, line, value }) =>
          `${name} ${type} ${line} ${value}` ===
          `${record.name} ${record.type} ${record.line} ${record.value}`,
      );
      must(!isSame, 'InvalidParameter.DomainRecordExist');
      const id = store.nextId();
      records.push({ id, ...record });
      return { RecordId: Number(id) };
    }
    case 'ModifyRecord': {
      const { name: zone } = zoneOf();
      store.writing();
      const known = store.find(String(params['RecordId']));
      must(known !== undefined, 'ResourceNotFound.NoDataOfRecord');
      Object.assign(known, written(zone));
      return { RecordId: Number(known.id) };
    }
    case 'DeleteRecord': {
      zoneOf();
      store.writing();
      must(store.remove(String(params['RecordId'])), 'ResourceNotFound.NoDataOfRecord');
      return {};
    }
    default:
      throw new Refusal('InvalidAction');
  }
}

describeVendor({
  name: 'Tencent Cloud DNSPod',
  zoneCount: 3001,
  recordCount: 3001,
  answer,
  make: (url, key) =>
    makeDnspod(
      {
        secret_id: secretId,
        secret_key: key === 'right' ? secretKey : 'wrong',
        endpoint: 'dnspod.tencentcloudapi.com',
      },
      { reach },
      url,
    ),
  secret: secretKey,
  refused: (Message) => ({ body: { Response: { Error: { Code: 'InvalidParameter', Message } } } }),
  limited: { body: { Response: { Error: { Code: 'RequestLimitExceeded', Message: '20 a second' } } } },
  hasPlans: true,
  telecom: '10=0',
  defaultLine: '0',
  kept: { txt: 'a text', mx: { value: 'mx.example.net.', priority: 10 } },
});
