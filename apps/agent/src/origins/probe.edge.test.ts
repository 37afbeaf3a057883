import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendHealthCheck, type DocumentEnvelope } from '@breakwater/contract';
import { startEdge } from '@breakwater/edge/process/edge-process';
import { waitFor } from '@breakwater/test-world/wait';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { EdgeControl } from '../nginx/edge-control.ts';
import { Prober } from './probe.ts';
import type { Watched } from './probe-check.ts';
import type { Target } from './probe-target.ts';
import { edgeOptions, siteDocument } from '../test-edge.ts';
import { TestOrigin } from './test-origin.ts';

/**
 * Two origins behind a real nginx, one of them the backup: what visitors get while the checks of the first go bad and
 * good again. All cases run side by side, for each takes seconds.
 */

type CheckInput = z.input<typeof backendHealthCheck>;
const holdDownSeconds = 5;
let httpPort: number;
let control: EdgeControl;
let prober: Prober;
let nextSite = 1;
/** What names stand for, and what is no longer checked. */
const named: Record<string, string[]> = {};
const gone: string[] = [];
let nextRevision = 1;
const closing: (() => unknown)[] = [];
const judged: {
  site: number;
  port: number;
  place: string;
  state: string;
  at: number;
  error: string | undefined;
}[] = [];
/** The places that nginx knows to be out: it hears of them a moment after they are judged. */
const leftOut = new Set<string>();

beforeAll(async () => {
  const options = await edgeOptions();
  httpPort = options.httpPorts[0]!;
  const edgeDir = await mkdtemp(join(tmpdir(), 'probe-'));
  await chmod(edgeDir, 0o755);
  closing.push(() => rm(edgeDir, { recursive: true, force: true }));
  const edge = await startEdge({ ...options, edgeDir });
  control = new EdgeControl(edge.controlSocket);
  const ending = new AbortController();
  prober = new Prober(
    {
      control: { putHealth: tellNginx },
      addressesOf: (address) => named[address] ?? [address],
      logger: pino({ level: 'silent' }),
    },
    { judged: note, gone: ({ ip, site_id }) => gone.push(`${site_id} ${ip}`) },
  );
  const running = prober.run(ending.signal);
  closing.push(() => edge.stop(0));
  closing.push(async () => {
    ending.abort();
    await running;
    control.close();
  });
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

async function tellNginx(verdicts: Parameters<EdgeControl['putHealth']>[0]): Promise<void> {
  await control.putHealth(verdicts);
  if (verdicts.whole) leftOut.clear();
  for (const place of Object.keys(verdicts.out)) leftOut.add(place);
  for (const place of verdicts.in) leftOut.delete(place);
}

function note({ health, since, error }: Target, { site_id: site, port, place }: Watched): void {
  const last = judged.findLast((one) => one.site === site && one.port === port);
  if (last?.state !== health.state)
    judged.push({ site, port, place, state: health.state, at: since.getTime(), error: error?.code });
}

/** What was judged of an origin, from state to state. */
const courseOf = (site: number, port: number) =>
  judged.filter((one) => one.site === site && one.port === port).map(({ state }) => state);
const momentOf = (site: number, port: number, state: string) =>
  judged.findLast((one) => one.site === site && one.port === port && one.state === state)!.at;

/** Closed with the tests. */
function makeOrigin(name: string, tls = false): TestOrigin {
  const origin = new TestOrigin(name, tls);
  closing.push(() => origin.close());
  return origin;
}

interface Site {
  id: number;
  host: string;
  envelope: (check: CheckInput) => DocumentEnvelope;
}

async function serve(
  first: TestOrigin,
  second: TestOrigin,
  check: CheckInput,
  { tls = false, address = '127.0.0.1' } = {},
): Promise<Site> {
  const id = nextSite++;
  const document = siteDocument(id);
  const [plain] = document.origin_server_config.origins;
  const at = (origin: TestOrigin, state: 'primary' | 'backup') => ({
    ...plain!,
    http_port: origin.port,
    https_port: origin.port,
    state,
    max_fails: 1,
    // Requests would bring it back so soon; what is left out for longer is so by its checks.
    fail_timeout_seconds: 1,
  });
  document.origin_server_config.origins = [{ ...at(first, 'primary'), address }, at(second, 'backup')];
  document.origin_server_config.protocol = tls ? 'https' : 'http';
  document.origin_server_config.tries = 2;
  document.cache_rule = [
    {
      type: 'all',
      content: [],
      action: 'bypass',
      ttl_seconds: 0,
      query_policy: 'all',
      query_names: [],
      enabled: true,
    },
  ];
  const envelope = (changed: CheckInput): DocumentEnvelope => {
    const body = JSON.stringify({
      ...document,
      backend_health_check: backendHealthCheck.parse({ enabled: true, ...changed }),
    });
    const hash = createHash('sha256').update(body).digest('hex');
    return { kind: 'site', key: String(id), revision: nextRevision++, deleted: false, hash, body };
  };
  await put(envelope(check));
  return { id, host: document.domains[0]!, envelope };
}

async function put(envelope: DocumentEnvelope): Promise<void> {
  const [result] = await control.apply([envelope]);
  expect(result).toMatchObject({ status: 'applied' });
  prober.track(`site/${envelope.key}`, envelope.body);
}

function visit(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: httpPort, path: '/', headers: { host }, agent: false };
    const call = request(target, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(response.statusCode === 200 ? text : String(response.statusCode)));
    });
    call.on('error', reject);
    call.end();
  });
}

/** Visits all the time, and keeps who answered, from one to another. */
class Visitor {
  readonly answers: string[] = [];
  readonly #host: string;
  #isGone = false;
  readonly #visits: Promise<void>;

  constructor(host: string) {
    this.#host = host;
    this.#visits = this.#visit();
    closing.push(() => this.leave());
  }

  async #visit(): Promise<void> {
    while (!this.#isGone) {
      const answer = await visit(this.#host);
      if (this.answers.at(-1) !== answer) this.answers.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async leave(): Promise<string[]> {
    this.#isGone = true;
    await this.#visits;
    return this.answers;
  }
}

const reach = (visitor: Visitor, name: string) =>
  waitFor(`an answer of ${name}`, () => visitor.answers.at(-1) === name, 40);
const reachState = (site: Site, origin: TestOrigin, state: string) =>
  waitFor(`state ${state}`, () => courseOf(site.id, origin.port).at(-1) === state, 40);
/** Visitors are kept from it by its checks, and not only for the moment since a request failed. */
const reachOut = (site: Site, origin: TestOrigin) =>
  waitFor(
    'nginx to leave it out',
    () => judged.some((one) => one.site === site.id && one.port === origin.port && leftOut.has(one.place)),
    40,
  );
const quick: CheckInput = {
  path: '/health',
  interval_seconds: 2,
  // A busy machine takes its time: only what hangs is to be found out by it.
  timeout_seconds: 2,
  fall: 1,
  rise: 1,
  hold_down_seconds: holdDownSeconds,
};

interface Case {
  check?: CheckInput;
  tls?: boolean;
  error: string;
  fail: (origin: TestOrigin) => unknown;
  mend: (origin: TestOrigin) => unknown;
}
const turn = (health: TestOrigin['health']) => (origin: TestOrigin) => (origin.health = health);
const cases: [string, Case][] = [
  [
    'answers with a status that is not expected',
    { error: 'status', fail: turn('failing'), mend: turn('well') },
  ],
  [
    'answers without the text',
    { check: { body_contains: 'is well' }, error: 'body', fail: turn('wrong body'), mend: turn('well') },
  ],
  ['says nothing in time', { error: 'timeout', fail: turn('silent'), mend: turn('well') }],
  [
    'fails over https',
    { check: { protocol: 'origin' }, tls: true, error: 'status', fail: turn('failing'), mend: turn('well') },
  ],
  [
    'takes no connection',
    {
      check: { protocol: 'tcp' },
      error: 'refused',
      fail: (origin) => origin.close(),
      mend: (origin) => origin.open(),
    },
  ],
];

describe.concurrent('an origin that', () => {
  it.each(cases)(
    '%s: visitors get the other, without an error, until it is well and held down',
    async (_, each) => {
      const { check, tls = false, error, fail, mend } = each;
      const first = await makeOrigin('one', tls).open();
      const second = await makeOrigin('two', tls).open();
      const site = await serve(first, second, { ...quick, ...check }, { tls });
      const visitor = new Visitor(site.host);
      await reach(visitor, 'one');
      await fail(first);
      await reach(visitor, 'two');
      await reachState(site, first, 'down');
      await reachOut(site, first);
      await mend(first);
      await reach(visitor, 'one');
      await reachState(site, first, 'up');
      expect(await visitor.leave()).toEqual(['one', 'two', 'one']);
      expect(courseOf(site.id, second.port)).toEqual(['up']);
      const downAt = momentOf(site.id, first.port, 'down');
      const upAt = momentOf(site.id, first.port, 'up');
      expect((upAt - downAt) / 1000).toBeGreaterThanOrEqual(holdDownSeconds - 0.05);
      expect(courseOf(site.id, first.port).slice(-2)).toEqual(['returning', 'up']);
      expect(judged.find(({ site: of, state }) => of === site.id && state === 'down')!.error).toBe(error);
    },
  );

  it('is the last one: it is asked although its checks are bad', async () => {
    const first = await makeOrigin('one').open();
    const second = await makeOrigin('two').open();
    const site = await serve(first, second, quick);
    const visitor = new Visitor(site.host);
    await reach(visitor, 'one');
    first.health = 'failing';
    await reach(visitor, 'two');
    second.health = 'failing';
    await reach(visitor, 'one');
    expect(await visitor.leave()).toEqual(['one', 'two', 'one']);
    expect(courseOf(site.id, first.port).at(-1)).toBe('down');
  });

  it('two sites ask about in the same way is checked once for both', async () => {
    const first = await makeOrigin('one').open();
    const second = await makeOrigin('two').open();
    const same: CheckInput = { ...quick, host: 'health.example.com' };
    const one = await serve(first, second, same);
    await reachState(one, first, 'up');
    const checksOfOne = first.checks;
    const two = await serve(first, second, same);
    expect(courseOf(two.id, first.port)).toEqual(['up']);
    expect(first.checks).toBe(checksOfOne);
    first.health = 'failing';
    await reachState(one, first, 'down');
    expect(courseOf(two.id, first.port).at(-1)).toBe('down');
    await waitFor('the other origin', async () => (await visit(one.host)) === 'two');
    await waitFor('the other origin', async () => (await visit(two.host)) === 'two');
  });

  it('moves to another address is checked there, and judged anew', async () => {
    const first = await makeOrigin('one').open();
    const second = await makeOrigin('two').open();
    const address = 'origin.example.com';
    const move = async (ip: string) => {
      named[address] = [ip];
      await control.putResolved(named);
      prober.addressesChanged();
    };
    await move('127.0.0.1');
    const site = await serve(first, second, quick, { address });
    await reachState(site, first, 'up');
    // Nobody listens there.
    await move('127.0.0.9');
    expect(gone).toContain(`${site.id} 127.0.0.1`);
    await reachState(site, first, 'down');
    await move('127.0.0.1');
    await reachState(site, first, 'up');
    expect(await visit(site.host)).toBe('one');
  });

  it('is out gets visitors again when its site is no longer checked', async () => {
    const first = await makeOrigin('one').open();
    const second = await makeOrigin('two').open();
    const site = await serve(first, second, { ...quick, hold_down_seconds: 3600 });
    const visitor = new Visitor(site.host);
    await reach(visitor, 'one');
    first.health = 'failing';
    await reach(visitor, 'two');
    await put(site.envelope({ ...quick, enabled: false }));
    await reach(visitor, 'one');
    await visitor.leave();
  });

  it('is out stays out when only the times of its check change, and is judged anew when the question does', async () => {
    const first = await makeOrigin('one').open();
    const second = await makeOrigin('two').open();
    const site = await serve(first, second, { ...quick, hold_down_seconds: 3600 });
    const visitor = new Visitor(site.host);
    await reach(visitor, 'one');
    first.health = 'failing';
    await reach(visitor, 'two');
    await put(site.envelope({ ...quick, hold_down_seconds: 1800 }));
    first.health = 'well';
    await reachState(site, first, 'returning');
    expect(visitor.answers).toEqual(['one', 'two']);
    await put(site.envelope({ ...quick, path: '/', hold_down_seconds: 1800 }));
    await reach(visitor, 'one');
    await visitor.leave();
  });
});

it('a check waits for nobody: one that hangs does not hold up others', async () => {
  const silent = createNetServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  closing.push(() => silent.close());
  const hanging = makeOrigin('hanging');
  hanging.port = (silent.address() as AddressInfo).port;
  const second = await makeOrigin('two').open();
  const slow = await serve(hanging, second, { ...quick, interval_seconds: 60, timeout_seconds: 60 });
  const first = await makeOrigin('one').open();
  const site = await serve(first, second, quick);
  await reachState(site, first, 'up');
  expect(courseOf(slow.id, hanging.port)).toEqual([]);
});
