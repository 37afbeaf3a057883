import type { VendorReply, VendorRequest } from '@breakwater/test-world';
import { makeDnsla } from './dnsla.ts';
import { describeVendor, must, reach, Refusal, type Store } from './test-vendor.ts';

/** By https://www.dns.la/docs/ApiDoc (domainList, recordList, record, availableLine). There is no signature: basic authentication. */

const [id, secret] = ['dnsla-id', 'dnsla-test-secret'];
const types: Record<string, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  257: 'CAA',
};
const typeNumber = (type: string) => Number(Object.keys(types).find((number) => types[number] === type));
/** By plan; the first is the default. */
const lines = [
  { id: '0', value: '默认' },
  { id: '84613316902921216', value: '电信' },
  { id: '84613316923892736', value: '联通' },
];

function answer(request: VendorRequest, store: Store): VendorReply {
  try {
    const given = Buffer.from(
      String(request.headers.authorization).replace(/^Basic /, ''),
      'base64',
    ).toString();
    if (given !== `${id}:${secret}`) return { status: 401, body: '' };
    return { body: { code: 200, msg: '', data: act(request, store) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { body: { code: 400, msg: error.code } };
  }
}

function pageOf<Item>(query: URLSearchParams, items: Item[]) {
  const [index, size] = [Number(query.get('pageIndex') ?? 1), Number(query.get('pageSize') ?? 10)];
  must(size >= 1 && size <= 100, '分页参数错误');
  return { total: items.length, results: items.slice((index - 1) * size, index * size) };
}

interface Body {
  id?: string;
  domainId?: string;
  type: number;
  host: string;
  data: string;
  ttl: number;
  lineId?: string;
  preference?: number;
}

function act({ method, path, query, headers, body }: VendorRequest, store: Store): unknown {
  if (path === '/api/domainList') {
    const zones = [...store.zones].map(([name, zone]) => ({
      id: zone.id,
      domain: `${name}.`,
      displayDomain: `${name}.`,
    }));
    return pageOf(query, zones);
  }
  if (path === '/api/availableLine') return lines;
  if (path === '/api/recordList') {
    const zone = store.zone(query.get('domainId') ?? '');
    must(zone !== undefined, '域名不存在');
    const hostOf = (name: string) => (name === zone.name ? '@' : name.slice(0, -zone.name.length - 1));
    const [host, type] = [query.get('host'), query.get('type')];
    const found = zone.records.filter(
      (each) => (host === null || hostOf(each.name) === host) && (type === null || each.type === types[type]),
    );
    const { total, results } = pageOf(query, found);
    const items = results.map((each) => ({
      id: each.id,
      host: hostOf(each.name),
      displayHost: hostOf(each.name),
      type: typeNumber(each.type),
      data: each.value,
      displayData: each.value,
      ttl: each.ttl,
      lineId:
        lines.find(({ value }) => value === each.line)?.id === '0'
          ? ''
          : lines.find(({ value }) => value === each.line)?.id,
      ...(each.priority === undefined ? {} : { preference: each.priority }),
      disable: false,
    }));
    return { total, results: items };
  }
  must(path === '/api/record', '接口不存在');
  store.writing();
  if (method === 'DELETE') {
    must(store.remove(query.get('id') ?? ''), '记录不存在');
    return null;
  }
  must(String(headers['content-type']).startsWith('application/json'), '参数错误');
  const params = JSON.parse(body) as Body;
  const known = method === 'PUT' ? store.find(params.id ?? '') : undefined;
  const zone = method === 'PUT' ? store.zone('example.com') : store.zone(params.domainId ?? '');
  must(zone !== undefined, '域名不存在');
  must(method !== 'PUT' || known !== undefined, '记录不存在');
  const line = lines.find((each) => each.id === (params.lineId ?? '0'));
  must(line !== undefined, '线路不存在');
  must(params.ttl >= store.ttlSecondsMin, 'TTL 低于套餐限制');
  const written = {
    name: params.host === '@' ? zone.name : `${params.host}.${zone.name}`,
    type: types[params.type]!,
    line: line.value,
    ttl: params.ttl,
    value: params.data,
    ...(params.preference === undefined ? {} : { priority: params.preference }),
  };
  if (known) Object.assign(known, written);
  else {
    const key = (each: Omit<typeof written, 'priority'>) =>
      [each.name, each.type, each.line, each.value].join(' ');
    must(!zone.records.some((each) => key(each) === key(written)), '记录已存在');
    zone.records.push({ id: store.nextId(), ...written });
  }
  return known ? null : { id: String(zone.records.length) };
}

describeVendor({
  name: 'DNS.LA',
  zoneCount: 101,
  recordCount: 201,
  answer,
  make: (url, key) =>
    makeDnsla({ api_id: id, api_secret: key === 'right' ? secret : 'wrong' }, { reach }, url),
  secret,
  refused: (msg) => ({ body: { code: 400, msg } }),
  limited: { status: 429, body: { code: 429, msg: '请求过于频繁' } },
  hasPlans: true,
  telecom: '电信',
  defaultLine: '默认',
  kept: { txt: 'a text', mx: { value: 'mx.example.net', priority: 10 } },
});
