import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { matcherRuleSection } from '@breakwater/contract/site-config/matcher-rule';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { relayTo, type Relay } from './client-hello.ts';
import {
  makeEdgeDir,
  makeEnvelope,
  makeSite,
  startOrigin,
  TestEdge,
  type SiteInput,
  type TestOrigin,
} from './support.ts';
import { told, worked } from './verify-support.ts';

/** Fingerprints of TLS clients: what nodes say of them is compared with what clients sent. */

const run = promisify(execFile);
let origin: TestOrigin;
let edge: TestEdge;
let relay: Relay;
const logged: SiteInput['advanced'] = { access_log: { ja4: true } };
const site = (id: number, domains: string[], more: Partial<SiteInput> = {}) =>
  makeSite({
    id,
    domains,
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules: [{ type: 'all', action: 'bypass' }],
    ...more,
  });

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    response.setHeader('Cache-Control', 'max-age=600');
    response.end(`asked ${request.url!}`);
  });
  edge = await TestEdge.start({ ticketKeys: async () => [] });
  relay = await relayTo(edge.httpsPort);
  await edge.control('PUT', '/pass_keys', { keys: ['a'.repeat(64)] });
  await edge.applySites(
    site(1, ['ja4.test'], { advanced: logged }),
    site(2, ['kept.test'], { advanced: logged, rules: [{ type: 'all', ttl_seconds: 600 }] }),
    site(3, ['old.test'], {
      advanced: logged,
      tls: { min_version: 'TLSv1', max_version: 'TLSv1.2', cipher_level: 'old' },
    }),
  );
});
afterAll(async () => {
  await relay.close();
  await edge.close();
  await origin.close();
});

/** The fingerprint in the log line of the request for a path that nobody else asks for. */
async function loggedFor(path: string): Promise<string> {
  const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === path);
  return line!.ja4;
}

type AskOptions = Omit<RequestOptions, 'headers'> &
  ConnectionOptions & { body?: string; headers?: Record<string, string> };

interface Asked {
  status: number;
  body: string;
  cookies: string[];
}

function ask(
  host: string,
  path: string,
  { method = 'GET', body, headers = {}, ...options }: AskOptions = {},
): Promise<Asked> {
  return new Promise((settle, refuse) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const call = httpsRequest(
      {
        host: '127.0.0.1',
        port: relay.port,
        path,
        method,
        servername: host,
        rejectUnauthorized: false,
        agent: false,
        ...options,
        headers: { host, ...length, ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () =>
          settle({
            status: response.statusCode!,
            body: text,
            cookies: (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]!),
          }),
        );
      },
    );
    call.on('error', refuse);
    call.end(body);
  });
}

let paths = 0;
const newPath = () => `/p${(paths += 1)}`;
const lastSeen = () => relay.seen.at(-1)!;

describe('is what the client sent', () => {
  const clients: [string, AskOptions, RegExp][] = [
    ['as ever', {}, /^t13d\d{4}00_/],
    ['with protocols', { ALPNProtocols: ['http/1.1', 'h3'] }, /^t13d\d{4}h1_/],
    ['of one letter', { ALPNProtocols: ['x', 'http/1.1'] }, /^t13d\d{4}xx_/],
    ['of no letters', { ALPNProtocols: ['\u{ab}\u{cd}', 'http/1.1'] }, /^t13d\d{4}/],
    ['of TLS 1.2', { maxVersion: 'TLSv1.2' }, /^t12d/],
    ['of TLS 1.3 alone', { minVersion: 'TLSv1.3' }, /^t13d/],
    ['with few ciphers', { ciphers: 'TLS_AES_128_GCM_SHA256', minVersion: 'TLSv1.3' }, /^t13d01/],
    ['with other signatures', { sigalgs: 'ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256' }, /^t13d/],
    ['without a name', { servername: '' }, /^t13i/],
  ];
  it.each(clients)('%s', async (_name, options, form) => {
    const path = newPath();
    expect((await ask('ja4.test', path, options)).status).toBe(200);
    expect(lastSeen()).toMatch(form);
    expect(await loggedFor(path)).toBe(lastSeen());
  });

  it('of curl', async () => {
    const path = newPath();
    const { stdout } = await run('curl', [
      '-sk',
      '--resolve',
      `ja4.test:${relay.port}:127.0.0.1`,
      `https://ja4.test:${relay.port}${path}`,
    ]);
    expect(stdout).toBe(`asked ${path}`);
    expect(lastSeen()).toMatch(/^t13d\d{4}h2_/);
    expect(await loggedFor(path)).toBe(lastSeen());
  });

  it.each([
    ['many ciphers', 'ja4.test', ['-cipher', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0']],
    ['no ticket, and less than others', 'ja4.test', ['-no_ticket', '-no_etm', '-curves', 'P-256']],
    ['other groups', 'ja4.test', ['-groups', 'P-521:X25519', '-tls1_3']],
    ['extensions that OpenSSL itself does not know', 'ja4.test', ['-serverinfo', '17513,65037,28']],
    ['compression and renegotiation', 'ja4.test', ['-comp', '-legacy_renegotiation', '-no_tls1_3']],
    ['TLS 1.0', 'old.test', ['-tls1', '-cipher', 'ALL:@SECLEVEL=0']],
  ])('of openssl with %s', async (_name, host, options) => {
    const path = newPath();
    const asked = run('openssl', [
      's_client',
      '-quiet',
      '-no_ign_eof',
      '-connect',
      `127.0.0.1:${relay.port}`,
      '-servername',
      host,
      ...options,
    ]);
    asked.child.stdin!.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === path);
    asked.child.kill();
    await asked.catch(() => undefined);
    expect([line!.status, line!.ja4]).toEqual([200, lastSeen()]);
  });

  it('of HTTP/2, for each of its requests', async () => {
    const session = connectHttp2(`https://ja4.test:${relay.port}`, {
      createConnection: () =>
        connect({
          host: '127.0.0.1',
          port: relay.port,
          servername: 'ja4.test',
          ALPNProtocols: ['h2'],
          rejectUnauthorized: false,
        }),
    });
    const asked = [newPath(), newPath(), newPath()];
    for (const path of asked) {
      const stream = session.request({ ':path': path, ':authority': 'ja4.test' });
      stream.resume();
      await new Promise((settle) => stream.once('end', settle));
    }
    session.close();
    for (const path of asked) expect(await loggedFor(path)).toBe(lastSeen());
    expect(lastSeen()).toMatch(/h2_/);
  });
});

it('stands in the lines of answers from the cache, and of nobody over HTTP', async () => {
  const path = newPath();
  await ask('kept.test', path);
  await ask('kept.test', path);
  await edge.get('kept.test', path);
  const lines = await edge.logLines(3, ({ request_uri }) => request_uri === path);
  expect(lines.map(({ cache_status, scheme, ja4 }) => [cache_status, scheme, ja4])).toEqual([
    ['MISS', 'https', relay.seen.at(-2)],
    ['HIT', 'https', lastSeen()],
    ['MISS', 'http', ''],
  ]);
});

describe('a session that is gone on with', () => {
  function handshake(options: ConnectionOptions): Promise<TLSSocket> {
    return new Promise((settle, refuse) => {
      const socket = connect(
        {
          host: '127.0.0.1',
          port: relay.port,
          servername: 'ja4.test',
          rejectUnauthorized: false,
          ...options,
        },
        () => settle(socket),
      );
      socket.on('error', refuse);
    });
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'has the fingerprint that it began with, in %s',
    async (version) => {
      const options = { minVersion: version, maxVersion: version };
      let session: Buffer | undefined;
      for (let times = 0; times < 4; times++) {
        const path = newPath();
        const socket = await handshake({ ...options, ...(session === undefined ? {} : { session }) });
        expect(socket.isSessionReused()).toBe(times > 0);
        const next = new Promise<Buffer>((settle) => socket.once('session', settle));
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ja4.test\r\n\r\n`);
        session = version === 'TLSv1.2' ? socket.getSession()! : await next;
        expect(await loggedFor(path)).toBe(relay.seen.at(-1 - times));
        socket.destroy();
      }
      // Else it would be no test of it: what these sent was another one.
      if (version === 'TLSv1.3') expect(relay.seen.at(-1)).not.toBe(relay.seen.at(-4));
    },
  );

  it('at another node with the same keys too; and not where it began without one', async () => {
    const keys = async () => [Buffer.alloc(80, 7).toString('base64')];
    const nodes: TestEdge[] = [];
    for (let count = 0; count < 2; count++) {
      const node = await TestEdge.start({ ticketKeys: keys });
      onTestFinished(() => node.close());
      nodes.push(node);
      await node.applySites(site(1, ['ja4.test']));
    }
    const [one, other] = nodes as [TestEdge, TestEdge];
    const sessionOf = async (node: TestEdge, path: string, session?: Buffer) => {
      const socket = await handshake({ port: node.httpsPort, ...(session === undefined ? {} : { session }) });
      const given = new Promise<Buffer>((settle) => socket.once('session', settle));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ja4.test\r\n\r\n`);
      const next = await given;
      const isReused = socket.isSessionReused();
      socket.destroy();
      const [line] = await node.logLines(1, ({ request_uri }) => request_uri === path);
      return { next, ja4: line!.ja4, isReused };
    };
    const before = await sessionOf(one, '/before');
    expect(before.ja4).toBe('');
    expect((await sessionOf(other, '/before', before.next)).isReused).toBe(true);
    for (const node of nodes) await node.applySites(site(1, ['ja4.test'], { advanced: logged }));
    const begun = await sessionOf(one, '/begun', before.next);
    expect(begun.isReused).toBe(false);
    expect(begun.ja4).toMatch(/^t13d/);
    expect(await sessionOf(other, '/on', begun.next)).toMatchObject({ isReused: true, ja4: begun.ja4 });
  });
});

it('is asked for by conditions: who fits, who does not, and who has none', async () => {
  const condition = (operator: string, values: string[] = []) =>
    ({ items: [{ field: 'ja4', operator, values }] }) as never;
  await ask('ja4.test', newPath(), { ALPNProtocols: ['http/1.1'] });
  const known = lastSeen();
  await edge.applySites(
    site(10, ['rules.test'], {
      advanced: logged,
      matchers: [
        { action: 'block', block: { kind: 'page', status: 404 }, condition: condition('equals', [known]) },
        { action: 'block', block: { kind: 'page', status: 451 }, condition: condition('is_empty') },
      ],
    }),
  );
  const path = newPath();
  expect((await ask('rules.test', path, { ALPNProtocols: ['http/1.1'] })).status).toBe(404);
  expect((await ask('rules.test', '/', { ALPNProtocols: ['http/1.1'], maxVersion: 'TLSv1.2' })).status).toBe(
    200,
  );
  expect((await edge.get('rules.test', '/')).status).toBe(451);
  const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === path);
  expect(line).toMatchObject({ decision: 'matcher_rule 1', ja4: known, waf_part: `ja4: ${known}` });
  // Whoever names another site in the handshake is told apart all the same.
  const fronted = { servername: 'ja4.test', ALPNProtocols: ['http/1.1'] };
  expect((await ask('rules.test', '/', fronted)).status).toBe(404);
});

it('is asked for by a rule of a level alone, and from the start on where it lies on the disk', async () => {
  const condition = { items: [{ field: 'ja4', operator: 'exists' }] } as never;
  const block = { kind: 'page', status: 451 } as const;
  const rules = [{ action: 'block' as const, block, condition }];
  const level = { level: 'global', matcher_rule: matcherRuleSection.parse({ rules }) };
  const documents = [
    makeEnvelope('level', 'global', 1, level),
    makeEnvelope('site', '1', 2, site(1, ['level.test'])),
  ];
  const statusAt = async (node: TestEdge) =>
    (await ask('level.test', '/', { port: node.httpsPort, servername: 'level.test' })).status;
  const node = await TestEdge.start();
  onTestFinished(() => node.close());
  await node.control('POST', '/documents', documents);
  expect(await statusAt(node)).toBe(451);

  const edgeDir = await makeEdgeDir();
  for (const document of documents) {
    const folder = join(edgeDir, 'documents', document.kind);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${document.key}.json`), JSON.stringify(document));
  }
  const started = await TestEdge.start({ edgeDir });
  onTestFinished(() => started.close());
  expect(await statusAt(started)).toBe(451);
});

it('is what CC guard counts by, whatever the address', async () => {
  const rule = {
    key: [{ part: 'ja4' as const, name: '' }],
    requests: 3,
    period_seconds: 60,
    action: 'limit' as const,
  };
  await edge.applySites(site(11, ['guard.test'], { guard: { mode: 'normal', rules: [rule] } }));
  const statuses = async (options: AskOptions) => {
    const found: number[] = [];
    for (let times = 0; times < 5; times++) found.push((await ask('guard.test', '/', options)).status);
    return found;
  };
  expect(await statuses({})).toEqual([200, 200, 200, 429, 429]);
  expect((await ask('guard.test', '/', { maxVersion: 'TLSv1.2' })).status).toBe(200);
});

describe('passes of browser verification', () => {
  const other = {
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256',
    maxVersion: 'TLSv1.2',
  } as const;
  async function passOf(host: string): Promise<string> {
    const page = await ask(host, '/');
    const challenge = told({ ...page, headers: {} });
    const answer = new URLSearchParams({ token: challenge.token, answer: worked(challenge), marks: '' });
    const given = await ask(host, '/.well-known/breakwater/verify/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: answer.toString(),
    });
    expect(given.status).toBe(200);
    return given.cookies[0]!;
  }

  it('are bound to the client where a site wants that, and to no connection', async () => {
    const verify = { enabled: true, kind: 'javascript', bind_tls: true } as const;
    await edge.applySites(site(12, ['bound.test'], { verify }));
    const cookie = await passOf('bound.test');
    const headers = { cookie };
    expect((await ask('bound.test', '/', { headers })).status).toBe(200);
    // As browsers open WebSockets, and go on with sessions: the same client.
    expect((await ask('bound.test', '/', { headers, ALPNProtocols: ['http/1.1'] })).status).toBe(200);
    expect((await ask('bound.test', '/', { headers, ...other })).status).toBe(403);
    expect((await edge.get('bound.test', '/', { headers })).status).toBe(403);
  });

  it('else hold for whoever has them, as before', async () => {
    await edge.applySites(site(13, ['free.test'], { verify: { enabled: true, kind: 'javascript' } }));
    const headers = { cookie: await passOf('free.test') };
    expect((await ask('free.test', '/', { headers, ...other })).status).toBe(200);
  });
});
