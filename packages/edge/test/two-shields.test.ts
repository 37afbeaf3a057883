import { readFile } from 'node:fs/promises';
import { Authority } from '@breakwater/test-world/authority';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EdgeOptions } from '../process/edge-process.ts';
import {
  makeEnvelope,
  makeSite,
  patience,
  startOrigin,
  TestEdge,
  type SiteInput,
  type TestOrigin,
} from './support.ts';

/** Two nodes that serve visitors, and two that are their shields: which is asked, and what becomes of it when one is away. */

const group = 5;
let authority: Authority;
let shieldPorts: [number, number];
let origin: TestOrigin;
let one: TestEdge;
let two: TestEdge;
let left: TestEdge;
let right: TestEdge;
let version = 0;
/** The nodes that a request to the origin came through. */
const ways: Record<string, string[]> = {};
const waysTo = (path: string) => ways[path] ?? [];

beforeAll(async () => {
  authority = await Authority.make('Nodes');
  shieldPorts = (await freePorts(2)) as [number, number];
  origin = await startOrigin((asked, answer) => {
    (ways[asked.url!] ??= []).push(String(asked.headers['cdn-loop']).replaceAll('breakwater-', ''));
    answer.end(`version ${version} ${String(asked.headers['x-added'])}`);
  });
  [one, two, left, right] = await Promise.all([start('one', 1), start('two', 2), startLeft(), startRight()]);
  const shields = [3, 4].map((node_id) => ({ node_id, ip: '127.0.0.1', port: shieldPorts[node_id - 3]! }));
  for (const edge of [one, two]) await tell(edge, { is_shield: false, shields, members: [] });
  for (const edge of [left, right]) await tellShield(edge);
}, 60_000);

afterAll(async () => {
  await Promise.all([one, two, left, right].map((edge) => edge.close()));
  await Promise.all([origin.close(), authority.close()]);
});

async function start(
  nodeName: string,
  id: number,
  port?: number,
  options: Partial<EdgeOptions> = {},
): Promise<TestEdge> {
  const pair = await authority.issue([`node-${id}`, `node-${id}.shield.internal`]);
  const identity = { authority: authority.certificate, ...pair, ...(port === undefined ? {} : { port }) };
  return TestEdge.start({ nodeName, shield: () => Promise.resolve(identity), ...options });
}

const startLeft = (options?: Partial<EdgeOptions>) => start('left', 3, shieldPorts[0], options);
const startRight = () => start('right', 4, shieldPorts[1]);

const tell = (edge: TestEdge, told: object): Promise<unknown> =>
  edge.control('PUT', '/shields', { groups: [{ line_group_id: group, mode: 'cache', ...told }] });

const tellShield = (edge: TestEdge) => tell(edge, { is_shield: true, shields: [], members: [1, 2] });

let sites = 0;
const served: ReturnType<typeof envelopeOf>[] = [];

const envelopeOf = (id: number, settings: Partial<SiteInput>) => ({
  ...makeEnvelope(
    'site',
    `${id}`,
    1000 + id,
    makeSite({
      id,
      domains: [`site${id}.test`],
      origins: [{ address: '127.0.0.1', http_port: origin.port }],
      rules: [{ type: 'all', action: 'cache', ttl_seconds: 600 }],
      ...settings,
    }),
  ),
  line_group_id: group,
});

async function give(edge: TestEdge, envelopes: typeof served): Promise<void> {
  for (const { error } of await edge.control<{ error?: string }[]>('POST', '/documents', envelopes))
    expect(error).toBeUndefined();
}

/** A site, which its shields may have with settings of their own. */
async function serve(settings: Partial<SiteInput> = {}, atShields = settings): Promise<string> {
  const id = (sites += 1);
  served.push(envelopeOf(id, atShields));
  for (const edge of [one, two]) await give(edge, [envelopeOf(id, settings)]);
  for (const edge of [left, right]) await give(edge, [served.at(-1)!]);
  return `site${id}.test`;
}

/** The shield ends as if it were killed, and what it has kept stays. What is given back settles once it is asked again, at a site by a node. */
async function takeLeftAway(): Promise<(host: string, edge: TestEdge) => Promise<void>> {
  const { dir } = left;
  await left.edge.stop(0);
  return async (host, edge) => {
    left = await startLeft({ edgeDir: dir });
    await give(left, served);
    await tellShield(left);
    let tries = 0;
    // Who found it away leaves it out for ten seconds.
    const wayOfNew = async () => {
      const path = `/${host}/${(tries += 1)}`;
      await edge.get(host, path);
      return waysTo(path)[0];
    };
    await expect.poll(wayOfNew, patience).toContain('left');
  };
}

const paths = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `/${name}${index}`);
const through = (shield: string, all: string[]) => all.filter((path) => waysTo(path)[0]!.endsWith(shield));

describe('two shields', () => {
  it('have the URLs between them, and both nodes ask the same one for the same', async () => {
    const host = await serve();
    const all = paths('shared', 40);
    for (const path of all)
      for (const edge of [one, two]) expect((await edge.get(host, path)).headers['x-cache']).toBe('MISS');
    expect(all.filter((path) => waysTo(path).length !== 1)).toEqual([]);
    expect([...through('left', all), ...through('right', all)].toSorted()).toEqual(all.toSorted());
    for (const shield of ['left', 'right']) expect(through(shield, all).length).toBeGreaterThan(8);
  });

  it('stand in for each other: when one is away no answer is, and when it is back it has what it had', async () => {
    const host = await serve();
    const all = paths('away', 20);
    for (const path of all) await one.get(host, path);
    const [ofLeft, ofRight] = [through('left', all), through('right', all)];
    const comeBack = await takeLeftAway();
    const during = ofLeft.splice(0, 3);
    for (const path of [...during, ...ofRight])
      expect([path, (await two.get(host, path)).status]).toEqual([path, 200]);
    // What is new goes to the other, whichever it would be for.
    const fresh = paths('fresh', 10);
    for (const path of fresh)
      for (const edge of [one, two]) expect((await edge.get(host, path)).status).toBe(200);
    expect(fresh.map(waysTo)).toEqual(fresh.map(() => ['one, right']));
    await comeBack(host, two);
    expect(ofLeft.length).toBeGreaterThan(0);
    for (const path of ofLeft) await two.get(host, path);
    expect(during.map(waysTo)).toEqual(during.map(() => ['one, left', 'two, right']));
    expect(ofLeft.map(waysTo)).toEqual(ofLeft.map(() => ['one, left']));
    expect(ofRight.map(waysTo)).toEqual(ofRight.map(() => ['one, right']));
  });

  it('bring nothing back that was changed while one was away, to the node that knows of it', async () => {
    const host = await serve({
      cache: { invalidate_on_change: true },
      rules: [{ type: 'all', action: 'cache', ttl_seconds: 600 }],
    });
    version = 1;
    const all = paths('changed', 8);
    for (const path of all) await one.get(host, path);
    const path = through('left', all)[0]!;
    const comeBack = await takeLeftAway();
    version = 2;
    expect((await one.get(host, path, { method: 'POST', body: 'x' })).status).toBe(200);
    expect((await one.get(host, path)).body).toContain('version 2');
    await comeBack(host, two);
    expect((await one.get(host, path)).body).toContain('version 2');
    // The shield did not hear of it, and its rule's lifetime holds, until it hears of a change.
    expect((await two.get(host, path)).body).toContain('version 1');
    version = 3;
    await two.get(host, path, { method: 'POST', body: 'x' });
    expect((await two.get(host, path)).body).toContain('version 3');
  });
});

describe('the hop', () => {
  it.each([true, false])(
    'applies nothing that is for visitors: rates that count hits: %s',
    async (rate_counts_hits) => {
      const settings: Partial<SiteInput> = {
        rewrite: {
          request_headers: [{ action: 'add', name: 'X-Added', value: 'once' }],
          response_headers: [{ action: 'add', name: 'X-Given', value: 'once' }],
        },
      };
      const host = await serve(settings, {
        ...settings,
        access: { rules: [{ action: 'deny', addresses: ['0.0.0.0/0', '::/0'] }] },
        referer: { enabled: true, allow: ['nobody.test'], allow_empty: false },
        security: {
          url_bytes_max: 10,
          rate_counts_hits,
          rate: { requests: 1, period_seconds: 3600, burst: 0 },
          rate_per_address: { requests: 1, period_seconds: 3600, burst: 0 },
          connections: 1,
          connections_per_address: 1,
        },
      });
      const all = paths(`through-the-hop-${rate_counts_hits}-`, 12);
      const answers = await Promise.all(all.map((path) => one.get(host, path)));
      for (const { status, body, headers } of answers)
        expect([status, body, headers['x-given']]).toEqual([200, `version ${version} once`, 'once']);
      for (const shield of ['left', 'right']) expect(through(shield, all)).not.toEqual([]);
      // So are they at the shield, to visitors of its own.
      for (const edge of [left, right]) expect((await edge.get(host, '/own')).status).toBe(403);
    },
  );

  it('is neither counted by CC guard nor banned at a shield, whose own visitors are', async () => {
    const rule = { action: 'ban' as const, requests: 3, period_seconds: 600, hold_seconds: 600 };
    const guard = { mode: 'normal' as const, escalation: false, rules: [rule] };
    const host = await serve({}, { guard });
    const setting = { never: [], never_robots: true, never_private: false, objection: '' };
    for (const edge of [left, right])
      await edge.control('POST', '/documents', [makeEnvelope('ban_setting', 'platform', 1, setting)]);
    const statuses = async (edge: TestEdge, all: string[]) => {
      const answers: number[] = [];
      for (const path of all) answers.push((await edge.get(host, path)).status);
      return answers;
    };
    const all = paths('guarded', 24);
    expect(await statuses(one, all)).toEqual(all.map(() => 200));
    for (const shield of ['left', 'right']) expect(through(shield, all).length).toBeGreaterThan(3);
    for (const edge of [left, right])
      expect(await statuses(edge, paths('own', 5))).toEqual([200, 200, 200, 403, 403]);
    // Nor once those visitors, whose address is the nodes', are banned.
    const more = paths('banned', 12);
    expect(await statuses(one, more)).toEqual(more.map(() => 200));
    for (const shield of ['left', 'right']) expect(through(shield, more)).not.toEqual([]);
  });

  it('counts towards limits once, and is logged once', async () => {
    const security = { rate_per_address: { requests: 1, period_seconds: 3600, burst: 5 } };
    const host = await serve({ security });
    const all = paths('counted', 6);
    for (const path of all) expect([path, (await one.get(host, path)).status]).toEqual([path, 200]);
    expect(all.map((path) => waysTo(path).length)).toEqual(all.map(() => 1));
    // What a shield has counted, its own visitors would have less of.
    for (const shield of [left, right])
      for (const path of all) expect([path, (await shield.get(host, path)).status]).toEqual([path, 200]);
    const ofSite = ({ host: asked }: { host: string }) => asked === host;
    for (const edge of [one, left, right])
      expect((await edge.logLines(all.length, ofSite)).map(({ request_uri }) => request_uri)).toEqual(all);
    for (const edge of [left, right])
      expect((await readFile(edge.edge.accessLogPath, 'utf8')).split(`"host":"${host}"`)).toHaveLength(
        all.length + 1,
      );
  });
});
