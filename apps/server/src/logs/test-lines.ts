import type { AccessLogLine } from '@breakwater/contract/access-log';

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const cacheStates = ['HIT', 'HIT', 'MISS', 'EXPIRED', 'STALE', 'UPDATING', 'REVALIDATED', 'BYPASS', ''];
const statuses = [200, 200, 200, 206, 301, 304, 404, 500, 502];

/** A number generator with a fixed seed, so that a failure shows again; 0 up to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Lines as an edge would write them, in order of time: clients 1 to 3, sites 1 to 9, `perMinute` of them a minute. */
export function makeLines(count: number, start: Date, { seed = 1, perMinute = 600 } = {}): AccessLogLine[] {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  return Array.from({ length: count }, (_, index) => {
    const site = 1 + Math.floor(random() * 9);
    const cacheStatus = pick(cacheStates);
    const status = pick(statuses);
    const body = Math.floor(random() * 60_000);
    const fetched = ['MISS', 'EXPIRED', 'BYPASS', 'REVALIDATED'].includes(cacheStatus);
    return makeLine({
      time: new Date(start.getTime() + Math.floor((index * 60_000) / perMinute)).toISOString(),
      request_id: Array.from({ length: 4 }, () =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join(''),
      site_id: site,
      client_id: 1 + (site % 3),
      order_id: site * 10,
      host: `www${site}.example.com`,
      remote_addr: `198.51.100.${Math.floor(random() * 250)}`,
      request_uri: `/assets/${Math.floor(random() * 500)}/image.jpg?v=${index}`,
      method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      status,
      // Without a draw of its own: older draws stay what they were.
      decision: status === 404 && index % 3 === 0 ? `access_control ${1 + (index % 2)}` : '',
      ...protectionOf(index),
      ja4: index % 5 > 2 ? '' : `t13d151${index % 5}h2_8daaf6152771_e5627efa2ab1`,
      request_length: 200 + Math.floor(random() * 800),
      bytes_sent: body + 350,
      body_bytes_sent: body,
      request_time: Math.floor(random() * 3000) / 1000,
      cache_status: cacheStatus,
      ...(fetched
        ? {
            origin_addr: '192.0.2.10:443',
            origin_status: status,
            origin_time: 0.05,
            origin_bytes: body + 300,
          }
        : {}),
      referer: `https://www${site}.example.com/page/${Math.floor(random() * 50)}`,
    });
  });
}

/** Of some lines protection has something to say. */
function protectionOf(index: number): Partial<AccessLogLine> {
  if (index % 7 > 1) return {};
  const number = 1 + (index % 12);
  return {
    waf: `matcher_rule ${number}=${index % 7 === 0 ? 'observe' : 'tag'}; matcher_rule global 1=observe`,
    waf_tags: index % 7 === 0 ? '' : `bot tag${number}`,
  };
}

export function makeLine(fields: Partial<AccessLogLine> = {}): AccessLogLine {
  return {
    time: '2026-03-01T10:00:00.000Z',
    request_id: '0123456789abcdef0123456789abcdef',
    site_id: 1,
    client_id: 1,
    order_id: 1,
    host: 'www.example.com',
    remote_addr: '198.51.100.7',
    raw_remote_addr: '198.51.100.7',
    remote_port: 50_123,
    method: 'GET',
    scheme: 'https',
    protocol: 'HTTP/2.0',
    request_uri: '/',
    status: 200,
    request_length: 300,
    bytes_sent: 1000,
    body_bytes_sent: 700,
    request_time: 0.002,
    cache_status: 'HIT',
    origin_addr: '',
    origin_status: 0,
    origin_time: 0,
    origin_bytes: 0,
    referer: '',
    user_agent: userAgent,
    content_type: 'image/jpeg',
    tls_version: 'TLSv1.3',
    decision: '',
    cache_reason: '',
    waf: '',
    waf_part: '',
    waf_tags: '',
    ja4: '',
    ...fields,
  };
}

/** As they stand in the file. */
export function toBytes(lines: AccessLogLine[]): Buffer {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
