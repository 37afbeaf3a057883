import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { DocumentEnvelope, DocumentResult } from '@breakwater/contract/edge-document';
import { documentResult } from '@breakwater/contract/edge-document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { startEdge } from '../process/edge-process.ts';
import {
  makeEdgeDir,
  makeEnvelope,
  makeSite,
  startOrigin,
  TestEdge,
  type SiteInput,
  type TestOrigin,
} from './support.ts';
import { findNginx } from '../process/nginx-program.ts';

let edge: TestEdge;
let origin: TestOrigin;

beforeAll(async () => {
  origin = await startOrigin((request, response) => response.end(`origin ${request.url}`));
  edge = await TestEdge.start({ workerProcesses: 2 });
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

function site(id: number, domains: string[], more: Partial<SiteInput> = {}) {
  return makeSite({ id, domains, origins: [{ address: '127.0.0.1', http_port: origin.port }], ...more });
}

async function post(...envelopes: unknown[]): Promise<DocumentResult[]> {
  const results = await edge.control<unknown[]>('POST', '/documents', envelopes);
  return results.map((result) => documentResult.parse(result));
}

interface State {
  instance_id: string;
  nginx_version: string;
  brotli: boolean;
  documents: Record<string, number>;
  connections: number;
  requests: number;
  memory: { capacity: number; free: number };
}

describe('documents', () => {
  it('applies each alone and in order, and says why one is refused', async () => {
    const good = makeEnvelope('site', '1', 1, site(1, ['one.test', '*.one.test']));
    const certificate = makeSelfSigned('pair.test');
    const stranger = makeSelfSigned('pair.test');
    const pair = (key: string, cert: string) => ({
      certificate_id: 1,
      domains: ['pair.test'],
      certificate: cert,
      private_key: key,
    });
    const cases: [envelope: unknown, problem: RegExp | undefined][] = [
      [good, undefined],
      [{ ...makeEnvelope('site', '2', 2, site(2, ['two.test'])), hash: '0'.repeat(64) }, /hash/],
      [makeEnvelope('site', '2', 3, { site_id: 2 }), /is no/],
      [{ ...good, key: '2', revision: 4 }, /document is of site 1/],
      [makeEnvelope('site', '2', 6, { ...site(2, ['two.test']), order_id: null }), /null/],
      [
        makeEnvelope('site', '2', 7, {
          ...site(2, ['two.test']),
          cache_rule: [
            {
              ...site(2, ['x.test'], { rules: [{ type: 'regex', content: ['x'] }] }).cache_rule[0],
              content: ['(unclosed'],
            },
          ],
        }),
        /cache_rule\.0\.content\.0: the regular expression does not compile/,
      ],
      [makeEnvelope('certificate', '1', 8, pair(stranger.key, certificate.certificate)), /does not belong/],
      [
        makeEnvelope('certificate', '1', 9, pair('no key', certificate.certificate)),
        /private key cannot be read/,
      ],
      [
        makeEnvelope('certificate', '1', 10, pair(certificate.key, 'no certificate')),
        /certificate cannot be read/,
      ],
      [makeEnvelope('certificate', '1', 11, pair(certificate.key, certificate.certificate)), undefined],
      [{ kind: 'poem', key: '1', revision: 12, deleted: false, hash: '', body: '' }, /unknown/],
      [{ ...makeEnvelope('site', '3', 13, {}), body: '{"site_id":' }, /hash|JSON/],
    ];
    const results = await edge.control<DocumentResult[]>(
      'POST',
      '/documents',
      cases.map(([envelope]) => envelope),
    );
    cases.forEach(([envelope, problem], index) => {
      const { kind, key, revision } = envelope as DocumentEnvelope;
      expect(results[index]).toMatchObject({
        kind,
        key,
        revision,
        status: problem === undefined ? 'applied' : 'refused',
      });
      if (problem !== undefined) expect(results[index]!.error).toMatch(problem);
    });
    expect((await edge.get('one.test', '/x')).status).toBe(200);
    expect((await edge.get('two.test', '/x')).status).toBe(421);
    const active = await edge.control<Partial<DocumentEnvelope>[]>('GET', '/documents');
    expect(active).toContainEqual({ kind: 'site', key: '1', revision: 1, hash: good.hash });
    expect(active).toHaveLength(2);
  });

  it('keeps the last good revision over a refused one, and takes the next good one', async () => {
    await post(makeEnvelope('site', '20', 1, site(20, ['keep.test'])));
    const bad = { ...site(20, ['keep.test']), origin_server_config: {} };
    expect((await post(makeEnvelope('site', '20', 2, bad)))[0]!.status).toBe('refused');
    expect((await edge.get('keep.test', '/')).status).toBe(200);
    expect(
      (await post(makeEnvelope('site', '20', 3, site(20, ['keep.test'], { status: 'offline' }))))[0]!.status,
    ).toBe('applied');
    expect((await edge.get('keep.test', '/')).status).toBe(503);
  });

  it('takes no older revision back, not even of what was deleted', async () => {
    await post(makeEnvelope('site', '30', 5, site(30, ['old.test'])));
    expect((await post(makeEnvelope('site', '30', 4, site(30, ['older.test']))))[0]!.status).toBe('applied');
    expect((await edge.get('older.test')).status).toBe(421);
    expect((await post({ kind: 'site', key: '30', revision: 6, deleted: true }))[0]!.status).toBe('applied');
    expect((await edge.get('old.test')).status).toBe(421);
    await post(makeEnvelope('site', '30', 5, site(30, ['old.test'])));
    expect((await edge.get('old.test')).status).toBe(421);
    expect((await post(makeEnvelope('site', '31', 7, site(31, ['old.test']))))[0]!.error).toBeUndefined();
    expect((await edge.get('old.test')).status).toBe(200);
  });

  it('gives a domain up with the revision that drops it', async () => {
    await post(makeEnvelope('site', '40', 1, site(40, ['first.test', 'second.test'])));
    const results = await post(
      makeEnvelope('site', '40', 2, site(40, ['second.test'])),
      makeEnvelope('site', '41', 3, site(41, ['first.test'])),
    );
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  it('gives a domain that two sites name to the one with the newer revision, in whatever order they come', async () => {
    const [loser, winner] = [
      makeEnvelope('site', '45', 1, site(45, ['both.test'], { status: 'offline' })),
      makeEnvelope('site', '46', 2, site(46, ['both.test'])),
    ];
    await post(winner, loser);
    expect((await edge.get('both.test')).status).toBe(200);
    await post({ kind: 'site', key: '45', revision: 3, deleted: true });
    expect((await edge.get('both.test')).status).toBe(200);
  });

  it('takes thousands of documents at once, while it goes on serving', async () => {
    await post(makeEnvelope('site', '70', 1, site(70, ['busy.test'])));
    const envelopes = Array.from({ length: 8000 }, (_, index) =>
      makeEnvelope('site', `${10_000 + index}`, 10 + index, site(10_000 + index, [`many${index}.test`])),
    );
    const applied = edge.control<DocumentResult[]>('POST', '/documents', envelopes);
    const progress = { isDone: false };
    void applied.finally(() => (progress.isDone = true));
    let served = 0;
    while (!progress.isDone) {
      expect((await edge.get('busy.test', `/${served}`)).status).toBe(200);
      served += 1;
    }
    expect((await applied).every(({ status }) => status === 'applied')).toBe(true);
    expect(served).toBeGreaterThan(2);
    expect((await edge.get('many7999.test')).status).toBe(200);
  });

  it('shows a change to every worker at once', async () => {
    for (let revision = 1; revision <= 20; revision++) {
      await post(
        makeEnvelope(
          'site',
          '50',
          revision,
          site(50, ['turn.test'], { status: revision % 2 === 0 ? 'online' : 'offline' }),
        ),
      );
      const statuses = await Promise.all(
        Array.from({ length: 6 }, () => edge.get('turn.test').then(({ status }) => status)),
      );
      expect(new Set(statuses)).toEqual(new Set([revision % 2 === 0 ? 200 : 503]));
    }
  });

  it('says what is wrong with a request that is none', async () => {
    await expect(edge.control('POST', '/documents', 'text')).rejects.toThrow(/400/);
    await expect(edge.control('GET', '/nothing')).rejects.toThrow(/404/);
  });

  it('tells its state', async () => {
    const state = await edge.control<State>('GET', '/state');
    expect(state.instance_id).toMatch(/^[0-9a-f]{32}$/);
    expect(state.nginx_version).toMatch(/^1\.\d+\.\d+$/);
    expect(state.brotli).toBe(findNginx().hasBrotli);
    expect(state.requests).toBeGreaterThan(10);
    expect(state.memory.free).toBeLessThan(state.memory.capacity);
  });

  it('lets nobody but its own account open the control socket', async () => {
    expect((await stat(edge.edge.controlSocket)).mode & 0o777).toBe(0o600);
  });
});

function serverCertificate(servername: string): Promise<string> {
  return new Promise((settle, refuse) => {
    const options = { host: '127.0.0.1', port: edge.httpsPort, servername, rejectUnauthorized: false };
    const socket = connectTls(options, () => {
      settle(socket.getPeerCertificate().subject.CN as string);
      socket.destroy();
    });
    socket.on('error', refuse);
  });
}

describe('TLS', () => {
  it("shows the site's certificate for the name, and the default for others", async () => {
    const names = ['tls.test', '*.tls.test'];
    for (const [index, name] of names.entries()) {
      const { certificate, key } = makeSelfSigned(name);
      const id = 100 + index;
      await post(
        makeEnvelope('certificate', `${id}`, 1, {
          certificate_id: id,
          domains: [name],
          certificate,
          private_key: key,
        }),
      );
    }
    await post(
      makeEnvelope('site', '60', 1, site(60, names, { certificateIds: [100, 101, 999] })),
      makeEnvelope('site', '61', 2, site(61, ['bare.test'])),
    );
    expect(await serverCertificate('tls.test')).toBe('tls.test');
    expect(await serverCertificate('TLS.test')).toBe('tls.test');
    expect(await serverCertificate('a.tls.test')).toBe('*.tls.test');
    for (const name of ['a.b.tls.test', 'bare.test', 'nobody.test'])
      expect(await serverCertificate(name)).toBe('edge.invalid');
    const renewed = makeSelfSigned('tls.test');
    await post(
      makeEnvelope('certificate', '100', 2, {
        certificate_id: 100,
        domains: ['tls.test'],
        certificate: renewed.certificate,
        private_key: renewed.key,
      }),
    );
    expect(await serverCertificate('tls.test')).toBe('tls.test');
    expect((await edge.get('tls.test', '/', { servername: 'tls.test' })).body).toBe('origin /');
  });

  it('speaks HTTP/2', async () => {
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: 'tls.test',
      rejectUnauthorized: false,
    });
    const stream = session.request({ ':path': '/h2', ':authority': 'tls.test' });
    let body = '';
    for await (const chunk of stream) body += String(chunk);
    session.close();
    expect(body).toBe('origin /h2');
    const [line] = await edge.logLines(1, ({ request_uri }) => request_uri === '/h2');
    expect(line).toMatchObject({
      protocol: 'HTTP/2.0',
      scheme: 'https',
      tls_version: 'TLSv1.3',
      host: 'tls.test',
      site_id: 60,
    });
  });
});

describe('on its own', () => {
  it('starts from disk, and keeps documents and cache over a reload', async () => {
    const dir = await makeEdgeDir();
    for (const kind of ['site', 'certificate'])
      await mkdir(join(dir, 'documents', kind), { recursive: true });
    const write = (name: string, value: unknown) => writeFile(join(dir, name), JSON.stringify(value));
    const document = makeSite({
      id: 1,
      domains: ['disk.test'],
      origins: [{ address: 'disk.example', http_port: origin.port }],
      rules: [{ type: 'all', ttl_seconds: 600 }],
    });
    await write('documents/site/1.json', makeEnvelope('site', '1', 9, document));
    await write('documents/site/2.json', { ...makeEnvelope('site', '2', 3, document), hash: 'wrong' });
    await write('documents/site/3.json', { kind: 'site', key: '3', revision: 4, deleted: true });
    await writeFile(join(dir, 'documents/site/4.json'), '{"kind":"site');
    await write('documents/site/5.json.new', makeEnvelope('site', '5', 3, { ...document, site_id: 5 }));
    await write('resolved.json', { 'disk.example': ['127.0.0.1'] });

    const first = await TestEdge.start({ edgeDir: dir });
    expect((await first.get('disk.test', '/x')).headers['x-cache']).toBe('MISS');
    const before = await first.control<State>('GET', '/state');
    expect(before.documents).toEqual({ site: 1, certificate: 0 });

    first.edge.reload();
    await new Promise((settle) => setTimeout(settle, 500));
    expect((await first.get('disk.test', '/x')).headers['x-cache']).toBe('HIT');
    expect((await first.control<State>('GET', '/state')).instance_id).toBe(before.instance_id);

    await first.edge.stop();
    const second = await TestEdge.start({ edgeDir: dir });
    expect((await second.get('disk.test', '/x')).headers['x-cache']).toBe('HIT');
    expect((await second.control<State>('GET', '/state')).instance_id).not.toBe(before.instance_id);
    await second.close();
  });

  it('leaves no worker behind when it has to be killed', async () => {
    const stuck = await TestEdge.start();
    // A master that stands still obeys nothing but SIGKILL, and tells its workers nothing.
    process.kill(stuck.edge.pid, 'SIGSTOP');
    expect((await stuck.get('x.test')).status).toBe(421);
    await stuck.edge.stop(0);
    // One that comes as the last worker goes is reset.
    const refused = () => stuck.get('x.test').catch(({ code }: { code?: string }) => code);
    await expect.poll(refused).toBe('ECONNREFUSED');
    await stuck.close();
  });

  it('goes on with an nginx that was left over, and takes the place of one that was killed', async () => {
    const dir = await makeEdgeDir();
    const first = await TestEdge.start({ edgeDir: dir });
    const second = await TestEdge.start({
      edgeDir: dir,
      httpPorts: [first.httpPort],
      httpsPorts: [first.httpsPort],
    });
    expect(second.edge.pid).toBe(first.edge.pid);
    expect((await second.get('x.test')).status).toBe(421);
    first.edge.leave();
    process.kill(second.edge.pid, 'SIGKILL');
    await second.edge.ended;
    const third = await TestEdge.start({
      edgeDir: dir,
      httpPorts: [first.httpPort],
      httpsPorts: [first.httpsPort],
    });
    expect((await third.get('x.test')).status).toBe(421);
    await third.close();
  });

  it('says what nginx says when it cannot start', async () => {
    const dir = await makeEdgeDir();
    const options = {
      edgeDir: dir,
      httpPorts: [edge.httpPort],
      httpsPorts: [],
      listenAddress: '127.0.0.1',
      nodeName: 'x',
      workerProcesses: 1,
    };
    await expect(startEdge(options)).rejects.toThrow(/Address already in use/);
    await expect(startEdge({ ...options, cacheSizeMax: 'plenty' })).rejects.toThrow(
      /nginx did not start: .*max_size/s,
    );
    await rm(dir, { recursive: true });
  });

  it('writes a new log after the old was renamed', async () => {
    await edge.get('one.test', '/before-rotation');
    await edge.logLines(1, ({ request_uri }) => request_uri === '/before-rotation');
    await rename(edge.edge.accessLogPath, `${edge.edge.accessLogPath}.1`);
    await edge.edge.reopenLogs();
    await expect
      .poll(() =>
        stat(edge.edge.accessLogPath).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await edge.get('one.test', '/after-rotation');
    expect(await edge.logLines(1, () => true)).toMatchObject([{ request_uri: '/after-rotation' }]);
  });
});
