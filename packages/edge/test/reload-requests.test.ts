import { createHash, randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workersOf } from '../process/nginx-workers.ts';
import { giveRanged } from './ranged-content.ts';
import { makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Requests that come while nginx is reloaded again and again: each has its answer, and each comes to the origin whole. */

let edge: TestEdge;
let origin: TestOrigin;
const file = randomBytes(8 * 1_048_576);

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Parts of the file, and of anything else what came. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('error', () => {});
  request.on('end', () => {
    if (request.url === '/cut') return request.socket.destroy();
    if (request.url === '/missing') return response.writeHead(404).end();
    // It gives no parts.
    if (request.url === '/whole') return response.end('whole');
    if (request.headers.range === undefined)
      return response.end(`${request.method} ${hashOf(Buffer.concat(chunks))}`);
    return giveRanged(request, response.setHeader('ETag', '"file"'), file);
  });
}

const sites: Record<string, Partial<SiteInput>> = {
  plain: {},
  judged: { systemRules: { mode: 'default', large_bodies: 'judge' } },
  held: { systemRules: { leak: 'default' } },
  directed: {},
  parts: { rules: [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }] },
};

beforeAll(async () => {
  // So many that those of before a reload have connections to each other.
  edge = await TestEdge.start({ workerProcesses: 4 });
  origin = await startOrigin(answer);
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const names = Object.keys(sites);
  const directed = 1 + names.indexOf('directed');
  await edge.edge.direct([{ siteId: directed, text: 'add_header "X-Path" "$uri";', places: ['plain'] }]);
  const results = await edge.applySites(
    ...names.map((name, index) =>
      makeSite({
        id: index + 1,
        domains: [`${name}.test`],
        origins,
        rules: [{ type: 'all', action: 'bypass' }],
        ...sites[name],
      }),
    ),
  );
  for (const { error } of results) if (error !== undefined) throw new Error(error);
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

interface Asked {
  method?: string;
  content?: Buffer;
  /** It comes in pieces, and its length is not said. */
  isStreamed?: boolean;
  isTls?: boolean;
}

/** On a connection of its own, which no reload closes. */
async function ask(site: string, asked: Asked): Promise<string> {
  const { method = 'GET', content, isStreamed = false, isTls = false } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Some of the parts are kept already, and some are not.
  const path = site === 'parts' ? `/${Math.floor(Math.random() * 50)}` : '/';
  const headers = { host: `${site}.test` };
  const options = { host: '127.0.0.1', method, path, headers, agent: false };
  const call = isTls
    ? httpsRequest({
        ...options,
        port: edge.httpsPort,
        servername: headers.host,
        rejectUnauthorized: false,
      })
    : httpRequest({ ...options, port: edge.httpPort });
  call.on('response', resolve).on('error', reject);
  if (isStreamed)
    for (let at = 0; at < content!.length; at += 20_000) {
      call.write(content!.subarray(at, at + 20_000));
      await setImmediate();
    }
  else if (content !== undefined) call.setHeader('content-length', content.length);
  call.end(isStreamed ? undefined : content);
  const response = await promise;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return `${response.statusCode} ${body.length > 1_000_000 ? hashOf(body) : body.toString().slice(0, 80)}`;
}

/** What was not answered as it should be. Visitors come again until there were so many reloads, one for each so many answers. */
async function wrongAnswers(
  reloads: number,
  each: number,
  visits: [Asked, visitors: number][],
  site: string,
) {
  const wrong: string[] = [];
  let answers = 0;
  const visit = async (asked: Asked) => {
    const { method = 'GET', content = Buffer.alloc(0) } = asked;
    const wanted = site === 'parts' ? hashOf(file) : `${method} ${hashOf(content)}`;
    while (answers < reloads * each) {
      const got = await ask(site, asked).catch(String);
      if (got !== `200 ${wanted}`) wrong.push(`${method}: ${got}`);
      answers += 1;
      if (answers % each === 0) edge.edge.reload();
    }
  };
  await Promise.all(
    visits.flatMap(([asked, visitors]) => Array.from({ length: visitors }, () => visit(asked))),
  );
  return wrong;
}

/** In random bytes an attack may be found. */
const letters = (length: number) => Buffer.from(randomBytes(length / 2).toString('hex'));

const withContent = Object.keys(sites).filter((name) => name !== 'parts');

it.each(withContent)('uploads are answered, and whatever else is sent: %s', async (site) => {
  const [small, large] = [letters(100), letters(100_000)];
  const visits: [Asked, number][] = [
    [{}, 8],
    [{ method: 'POST', content: small }, 4],
    [{ method: 'POST', content: large, isStreamed: true }, 4],
    [{ method: 'PUT', content: small }, 2],
    [{ method: 'PATCH', content: small, isStreamed: true }, 2],
    [{ method: 'DELETE' }, 2],
    // The old workers have connections in the middle of a handshake.
    [{ isTls: true }, 8],
    [{ isTls: true, method: 'POST', content: small }, 4],
  ];
  expect(await wrongAnswers(8, 100, visits, site)).toEqual([]);
});

it('downloads in parts come to their end, from the origin and from the cache', async () => {
  expect(await wrongAnswers(10, 10, [[{}, 10]], 'parts')).toEqual([]);
});

it('whatever ends a download in parts, no worker that is to quit stays for it', async () => {
  const before = await workersOf(edge.edge.pid);
  const headers = { host: 'parts.test' };
  for (const path of ['/cut', '/missing', '/whole', '/0'])
    for (const method of ['GET', 'HEAD', 'POST'])
      // What the origin says of a part that it has not is no answer, so this may be cut off.
      await edge.get('parts.test', path, { method, headers: { range: 'bytes=99999999-' } }).catch(() => {});
  // Their visitors go: before there is an answer, and amid it.
  for (const event of ['socket', 'response'] as const)
    for (let index = 0; index < 20; index++) {
      const gone = Promise.withResolvers<void>();
      const path = `/gone-${event}-${index}`;
      const call = httpRequest({ host: '127.0.0.1', port: edge.httpPort, path, headers, agent: false });
      call.on(event, () => setTimeout(() => call.destroy(), index));
      call.on('error', () => {}).on('close', gone.resolve);
      call.end();
      await gone.promise;
    }
  edge.edge.reload();
  const left = async () => (await workersOf(edge.edge.pid)).filter((pid) => before.includes(pid));
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
});
