import { request } from 'node:https';
import type { ShieldGroup } from '@breakwater/contract/shield';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workersOf } from '../process/nginx-workers.ts';
import type { ShieldIdentity } from '../process/shield-files.ts';
import { echoed, startEcho } from './echo-origin.ts';
import { giveRanged } from './ranged-content.ts';
import {
  makeEnvelope,
  makeSite,
  patience,
  startOrigin,
  TestEdge,
  type SiteInput,
  type TestOrigin,
} from './support.ts';

/** Two nodes that serve visitors and one that is their shield: what reaches the origin, and what reaches visitors. */

const group = 5;
let authority: Authority;
let foreign: Authority;
let shieldPort: number;
let deadPort: number;
let origin: TestOrigin;
let one: TestEdge;
let two: TestEdge;
let shield: TestEdge;
let version = 0;
/** The nodes that a request to the origin came through, as one intermediary. */
const ways: Record<string, string[]> = {};

const large = Buffer.from(Array.from({ length: 2_500_000 }, (_, index) => 97 + (index % 23)));

const waysTo = (path: string) => ways[path] ?? [];

beforeAll(async () => {
  [shieldPort, deadPort] = (await freePorts(2)) as [number, number];
  authority = await Authority.make('Nodes');
  foreign = await Authority.make('Strangers');
  origin = await startOrigin((asked, answer) => {
    const url = new URL(asked.url!, 'http://origin');
    const way = String(asked.headers['cdn-loop']).replaceAll('breakwater-', '');
    (ways[url.pathname] ??= []).push(asked.headers.via === '1.1 Breakwater' ? way : `${way}, no Via`);
    if (url.pathname === '/large') return giveRanged(asked, answer.setHeader('ETag', '"large"'), large);
    const { searchParams } = url;
    for (const [name, value] of searchParams) if (/^[A-Z]/.test(name)) answer.setHeader(name, value);
    const etag = searchParams.get('ETag');
    if (etag !== null && asked.headers['if-none-match'] === etag) answer.writeHead(304).end();
    else
      answer.end(
        `version ${version} for ${String(asked.headers['x-real-ip'])} ${String(asked.headers['x-added'] ?? '')}`,
      );
  });
  [one, two, shield] = await Promise.all([start('one', 1), start('two', 2), start('shield', 3, shieldPort)]);
  await tell(one);
  await tell(two);
  await tell(shield, { is_shield: true, shields: [], members: [1, 2] });
}, 60_000);

afterAll(async () => {
  await Promise.all([one, two, shield].map((edge) => edge.close()));
  await Promise.all([origin.close(), authority.close(), foreign.close()]);
});

const pairOf = (by: Authority, id: number): Promise<IssuedPair> =>
  by.issue([`node-${id}`, `node-${id}.shield.internal`]);

async function start(nodeName: string, id: number, port?: number): Promise<TestEdge> {
  const pair = await pairOf(authority, id);
  const identity: ShieldIdentity = {
    authority: authority.certificate,
    ...pair,
    ...(port === undefined ? {} : { port }),
  };
  return TestEdge.start({ nodeName, shield: () => Promise.resolve(identity) });
}

function tell(edge: TestEdge, changes: Partial<ShieldGroup> = {}): Promise<unknown> {
  const shields = [{ node_id: 3, ip: '127.0.0.1', port: shieldPort }];
  const known = { line_group_id: group, mode: 'cache' as const, is_shield: false, shields, members: [] };
  return edge.control('PUT', '/shields', { groups: [{ ...known, ...changes }] });
}

const cacheAll: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'cache', ttl_seconds: 600 }];
let sites = 0;

async function serve(settings: Partial<SiteInput> = {}): Promise<string> {
  const id = (sites += 1);
  const host = `site${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const site = makeSite({ id, domains: [host], origins, rules: cacheAll, ...settings });
  const envelope = { ...makeEnvelope('site', `${id}`, 1000 + id, site), line_group_id: group };
  for (const edge of [one, two, shield]) {
    const [result] = await edge.control<{ error?: string }[]>('POST', '/documents', [envelope]);
    expect(result!.error).toBeUndefined();
  }
  return host;
}

const idOf = (host: string): number => Number(/\d+/.exec(host)![0]);

const refresh = (edge: TestEdge, host: string, path: string, revision: number) => {
  const site_id = idOf(host);
  const document = { refresh_id: revision, site_id, urls: { [host]: [path] } };
  return edge.control('POST', '/documents', [makeEnvelope('refresh', `${revision}`, revision, document)]);
};

describe('a shield', () => {
  it('may have kept an answer that nodes withhold from their visitors', async () => {
    const host = await serve({ systemRules: { leak: 'default' } });
    // In pieces, so that no tool takes it for a secret.
    const token = ['sk_li', 've_', 'Q7hW2kZp9LmX4vRt8NcB3yJd'].join('');
    const path = '/leak?Content-Type=text/plain';
    const asked = { headers: { 'x-added': token } };
    for (const edge of [one, two, one]) {
      const given = await edge.get(host, path, asked);
      expect([given.status, given.body.includes(token)]).toEqual([403, false]);
    }
    expect(waysTo('/leak')).toEqual(['one, shield']);
    expect((await one.get(host, '/none?Content-Type=text/plain')).status).toBe(200);
  });

  it('asks the origin once for both nodes, and passes on how old its answer is', async () => {
    const host = await serve({ cache: { cache_status_header: true } });
    const path = '/once?Last-Modified=Mon,%2001%20Jan%202024%2000:00:00%20GMT';
    const first = await one.get(host, path);
    expect([first.status, first.headers['x-cache'], first.body]).toEqual([
      200,
      'MISS',
      'version 0 for 127.0.0.1 ',
    ]);
    await expect
      .poll(async () => Number((await one.get(host, path)).headers.age), patience)
      .toBeGreaterThan(0);
    const other = await two.get(host, path);
    expect([other.headers['x-cache'], other.body]).toEqual(['MISS', first.body]);
    expect(Number(other.headers.age)).toBeGreaterThan(0);
    expect(other.headers.date).toBe(first.headers.date);
    expect(String(other.headers['cache-status']).match(/Breakwater/gi)).toHaveLength(2);
    expect((await two.get(host, path)).headers['x-cache']).toBe('HIT');
    expect(waysTo('/once')).toEqual(['one, shield']);

    const [asked] = await one.logLines(1, (line) => line.host === host);
    expect([asked!.origin_addr, asked!.origin_status]).toEqual([`127.0.0.1:${origin.port}`, 200]);
    expect(asked!.origin_bytes).toBeGreaterThan(0);
    const [given] = await two.logLines(1, (line) => line.host === host);
    expect([given!.origin_addr, given!.origin_status, given!.origin_bytes]).toEqual(['', 0, 0]);
  });

  it("gives a rule's lifetime once, not once for each node on the way", async () => {
    const rules: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'cache', ttl_seconds: 3 }];
    const host = await serve({ rules });
    await one.get(host, '/short');
    await expect.poll(async () => Number((await one.get(host, '/short')).headers.age), patience).toBe(2);
    version = 1;
    await two.get(host, '/short');
    const answers: string[] = [];
    await expect
      .poll(async () => answers.push((await two.get(host, '/short')).body) && answers.at(-1), patience)
      .toContain('version 1');
    expect(Number((await two.get(host, '/short')).headers.age)).toBeLessThan(3);
    expect(waysTo('/short').every((way) => way.endsWith('shield'))).toBe(true);
  });

  it('is never behind the node that asks it: a purge that reaches that one first', async () => {
    const host = await serve();
    version = 10;
    for (const edge of [one, two]) await edge.get(host, '/raced');
    version = 11;
    await refresh(one, host, '/raced', 5001);
    const hop = { 'x-breakwater-hop': `${idOf(host)} 0 http cache` };
    expect((await atShield(host, '/raced', hop, await pairOf(authority, 1))).body).toContain('version 10');
    expect((await one.get(host, '/raced')).body).toContain('version 11');
    expect((await one.get(host, '/raced')).headers['x-cache']).toBe('HIT');
    await refresh(shield, host, '/raced', 5001);
    await refresh(two, host, '/raced', 5001);
    expect((await two.get(host, '/raced')).body).toContain('version 11');
    expect((await two.get(host, '/raced')).headers['x-cache']).toBe('HIT');
  });

  it('forgets by tags as the nodes do', async () => {
    const host = await serve();
    version = 20;
    const path = '/tagged?Cache-Tag=news';
    for (const edge of [one, two]) expect((await edge.get(host, path)).headers['cache-tag']).toBeUndefined();
    version = 21;
    const site_id = idOf(host);
    const document = { refresh_id: 5002, site_id, tags: ['news'] };
    for (const edge of [shield, two, one])
      await edge.control('POST', '/documents', [makeEnvelope('refresh', '5002', 5002, document)]);
    for (const edge of [one, two]) expect((await edge.get(host, path)).body).toContain('version 21');
  });

  it('hears of what changes, where a site wants that', async () => {
    const host = await serve({ cache: { invalidate_on_change: true } });
    version = 30;
    await one.get(host, '/changed');
    version = 31;
    expect((await one.get(host, '/changed', { method: 'POST', body: 'new' })).status).toBe(200);
    expect((await one.get(host, '/changed')).body).toContain('version 31');
    expect((await two.get(host, '/changed')).body).toContain('version 31');
    expect(waysTo('/changed')).toEqual(['one, shield', 'one, shield', 'one, shield']);
  });

  it('is asked with validators, and leaves rewriting to the nodes', async () => {
    const rewrite: NonNullable<SiteInput['rewrite']> = {
      request_headers: [{ action: 'add', name: 'X-Added', value: 'a' }],
      body: {
        replacements: [{ find: 'version', replace: 'version version' }],
        content_types: ['text/plain'],
      },
    };
    const host = await serve({ rewrite });
    version = 40;
    for (const edge of [one, two, one]) {
      const answer = await edge.get(host, '/rewritten?Content-Type=text/plain');
      expect([answer.status, answer.body]).toEqual([200, 'version version 40 for 127.0.0.1 a']);
    }
    const plain = await serve();
    const path = '/kept?Cache-Control=no-cache&ETag=%22a%22';
    await one.get(plain, path);
    version = 41;
    // The origin says that its tag is the same.
    for (const edge of [two, one, two]) expect((await edge.get(plain, path)).body).toContain('version 40');
    expect(waysTo('/rewritten')).toEqual(['one, shield']);
    expect(waysTo('/kept')).toEqual(['one', 'two', 'one', 'two'].map((node) => `${node}, shield`));
  });

  it('is asked for parts, and keeps variants apart', async () => {
    const rules = [
      { type: 'all', action: 'cache', ttl_seconds: 600, slice_bytes: 1_048_576, key_headers: ['x-kind'] },
    ] as const;
    const host = await serve({
      rules: rules.map((rule) => ({ ...rule, key_headers: [...rule.key_headers] })),
    });
    for (const edge of [one, two]) {
      const part = await edge.get(host, '/large', { headers: { range: 'bytes=1048570-1048585' } });
      expect([part.status, part.body]).toEqual([206, large.subarray(1_048_570, 1_048_586).toString()]);
      expect((await edge.get(host, '/large')).body).toBe(large.toString());
    }
    expect(waysTo('/large')).toEqual(Array.from({ length: 3 }, () => 'one, shield'));
    for (const kind of ['a', 'b'])
      for (const edge of [one, two]) await edge.get(host, '/kind', { headers: { 'x-kind': kind } });
    expect(waysTo('/kind')).toEqual(['one, shield', 'one, shield']);
  });

  it('is passed by what is for one visitor', async () => {
    const host = await serve({ rules: [] });
    const headers = { authorization: 'Basic x' };
    await one.get(host, '/private', { headers });
    await one.get(host, '/posted', { method: 'POST', body: 'x' });
    for (let n = 0; n < 2; n += 1) await one.get(host, '/cookie?Set-Cookie=a=b&Cache-Control=max-age=60');
    expect([waysTo('/private'), waysTo('/posted')]).toEqual([['one'], ['one']]);
    // It was not known the first time.
    expect(waysTo('/cookie')).toEqual(['one, shield', 'one']);
    await tell(one, { mode: 'global' });
    await one.get(host, '/all', { headers });
    await one.get(host, '/all', { method: 'POST', body: 'x' });
    await tell(one);
    expect(waysTo('/all')).toEqual(['one, shield', 'one, shield']);
  });

  it('carries a WebSocket both ways where all goes through it, and none where only the cache does', async () => {
    const echo = await startEcho();
    const host = await serve({ origins: [{ address: '127.0.0.1', http_port: echo.port }] });
    try {
      expect(await echoed(one, host, 'straight')).toBe('straight');
      await tell(one, { mode: 'global' });
      expect(await echoed(one, host, 'over the hop')).toBe('over the hop');
    } finally {
      await tell(one);
      echo.close();
    }
    expect(echo.ways).toEqual(['one', 'one, shield']);
  });

  it('hands over nothing of what visitors send: the node that they speak to does, once the origin took it', async () => {
    const host = await serve();
    await tell(one, { mode: 'global' });
    for (const edge of [one, shield])
      await edge.control('PUT', '/sampling', { per_mille: 0, submitted_per_mille: 1000 });
    const asked = { instance_id: '', told: 0, max: 1 };
    const taken = async (edge: TestEdge) =>
      (await edge.control<{ submissions: string }>('POST', '/submissions', asked)).submissions;
    const sent = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' };
    await expect
      .poll(async () => {
        await one.get(host, '/sent', sent);
        return taken(one);
      }, patience)
      .toContain(`"http://${host}/sent"`);
    expect(waysTo('/sent').at(-1)).toBe('one, shield');
    expect(await taken(shield)).toBe('');
    await tell(one);
  });
});

describe('the hop', () => {
  it('costs no answer where the shield is dead, is another, or does not know the node', async () => {
    const host = await serve();
    const ask = async (path: string, shields: ShieldGroup['shields']) => {
      await tell(two, { shields });
      return (await two.get(host, path)).status;
    };
    expect(await ask('/dead', [{ node_id: 3, ip: '127.0.0.1', port: deadPort }])).toBe(200);
    expect(await ask('/other', [{ node_id: 4, ip: '127.0.0.1', port: shieldPort }])).toBe(200);
    const dead = { node_id: 4, ip: '127.0.0.1', port: deadPort };
    const alive = { node_id: 3, ip: '127.0.0.1', port: shieldPort };
    const paths = [1, 2, 3, 4].map((n) => `/next${n}`);
    const fresh = await serve();
    await tell(two, { shields: [dead, alive] });
    for (const path of paths) expect((await two.get(fresh, path)).status).toBe(200);
    await tell(two);
    await tell(shield, { is_shield: true, shields: [], members: [1] });
    const third = await serve();
    expect((await two.get(third, '/left')).status).toBe(200);
    await tell(shield, { is_shield: true, shields: [], members: [1, 2] });
    expect(['/dead', '/other', '/left'].map(waysTo)).toEqual([['two'], ['two'], ['two']]);
    expect(paths.map(waysTo)).toEqual(paths.map(() => ['two, shield']));
  });

  it('drops nothing that is sent while the shield is reloaded', async () => {
    const host = await serve();
    await tell(one, { mode: 'global' });
    let [answers, wrong] = [0, 0];
    const send = async (method: string) => {
      for (; answers < 1500; answers += 1) {
        if ((await one.get(host, '/reloaded', { method, body: 'x' })).status !== 200) wrong += 1;
        if (answers % 40 === 0) shield.edge.reload();
      }
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(index % 2 === 0 ? 'POST' : 'PATCH')));
    await tell(one);
    expect([wrong, waysTo('/reloaded').includes('one, shield')]).toEqual([0, true]);
  });

  it('is believed of nodes alone', async () => {
    const security: NonNullable<SiteInput['security']> = { url_bytes_max: 50 };
    const host = await serve({ security });
    const hop = { 'x-breakwater-hop': `${idOf(host)} 0 http cache` };
    const long = `/${'a'.repeat(60)}`;
    const atVisitors = await shield.get(host, long, { headers: hop });
    expect(atVisitors.status).toBe(414);
    expect((await shield.get(host, '/in', { headers: { 'x-breakwater-hop': 'in' } })).status).toBe(200);
    const ask = (pair: IssuedPair | undefined, headers: Record<string, string> = hop) =>
      atShield(host, '/in', headers, pair);
    const node = await pairOf(authority, 1);
    expect((await ask(node)).status).toBe(200);
    const stranger = await authority.issue(['node-1', 'node-9.shield.internal']);
    for (const pair of [undefined, await pairOf(foreign, 1), await pairOf(authority, 3), stranger])
      await expect(ask(pair)).rejects.toThrow('socket hang up');
    await expect(ask(node, { 'x-breakwater-hop': '999 0 http cache' })).rejects.toThrow('socket hang up');
    await expect(ask(node, { ...hop, 'cdn-loop': 'breakwater-shield' })).rejects.toThrow('socket hang up');
  });

  it('has no worker that is to quit stay for parts that nodes have taken', async () => {
    const rules = [{ type: 'all' as const, ttl_seconds: 600, slice_bytes: 1_048_576 as const }];
    const host = await serve({ rules });
    const before = await workersOf(shield.edge.pid);
    expect((await one.get(host, '/large')).body).toBe(large.toString());
    expect(waysTo('/large').at(-1)).toBe('one, shield');
    shield.edge.reload();
    const left = async () => (await workersOf(shield.edge.pid)).filter((pid) => before.includes(pid));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  });
});

/** As another node would, or somebody else. */
function atShield(
  host: string,
  path: string,
  headers: Record<string, string>,
  pair: IssuedPair | undefined,
): Promise<{ status: number | undefined; body: string }> {
  const own = pair === undefined ? {} : { cert: pair.certificate, key: pair.key };
  return new Promise((settle, refuse) => {
    request(
      {
        ...own,
        host: '127.0.0.1',
        port: shieldPort,
        path,
        headers: { host, ...headers },
        servername: 'node-3.shield.internal',
        ca: authority.certificate,
        agent: false,
      },
      (answer) => {
        let body = '';
        answer.on('data', (part: Buffer) => (body += part.toString()));
        answer.on('end', () => settle({ status: answer.statusCode, body }));
      },
    )
      .on('error', refuse)
      .end();
  });
}
