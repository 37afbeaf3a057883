import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeSite, patience, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** A share of what visitors send, as the agent takes it from a node. */

let edge: TestEdge;
let origin: TestOrigin;
const got: string[] = [];
let slowAnswers: (() => void)[] = [];

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((request, response) => {
    const { url = '' } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      got.push(body);
      const status = Number(/status=(\d+)/.exec(url)?.[1] ?? 200);
      const answer = () =>
        response.writeHead(status, status === 303 ? { location: '/seen' } : {}).end(`took ${body.length}`);
      if (url.startsWith('/slow')) slowAnswers.push(answer);
      else answer();
    });
  });
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const results = await edge.applySites(
    makeSite({ id: 1, domains: ['plain.test'], origins }),
    makeSite({ id: 2, domains: ['judged.test'], origins, systemRules: { mode: 'default' } }),
    makeSite({
      id: 3,
      domains: ['signed.test'],
      origins,
      access: { signing: { enabled: true, secret: 'a-key-of-the-site' }, signed_paths: ['/none'] },
    }),
    makeSite({
      id: 4,
      domains: ['errors.test'],
      origins,
      advanced: { error_pages: [{ statuses: ['500'], body: 'all is well', new_status: 200 }] },
    }),
    makeSite({
      id: 6,
      domains: ['asking.test'],
      origins,
      matchers: [
        {
          action: 'block',
          condition: { items: [{ field: 'form', name: 't', operator: 'equals', values: ['evil'] }] },
        },
      ],
    }),
    makeSite({ id: 5, domains: ['limited.test'], origins, security: { bandwidth: 100_000_000 } }),
  );
  const refused = results.find(({ status }) => status === 'refused');
  if (refused !== undefined) throw new Error(refused.error);
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

interface Told {
  instance_id: string;
  submissions: string;
  last: number;
}
interface Submission {
  site_id: number;
  url: string;
  content: string;
}
let last: Told = { instance_id: '', submissions: '', last: 0 };
interface Taken {
  site: number;
  url: string;
  texts: string[];
}
async function take(): Promise<Taken[]> {
  last = await edge.control<Told>('POST', '/submissions', {
    instance_id: last.instance_id,
    told: last.last,
    max: 100,
  });
  if (last.submissions === '') return [];
  return last.submissions.split('\n').map((line) => {
    const { site_id: site, url, content } = JSON.parse(line) as Submission;
    return { site, url, texts: Buffer.from(content, 'base64').toString().split('\0') };
  });
}
const form = 'application/x-www-form-urlencoded';
const post = (
  body: string,
  { path = '/post', type = form, host = 'plain.test', method = 'POST', headers = {} } = {},
) => edge.get(host, path, { method, body, headers: { 'content-type': type, ...headers } });
let marks = 0;
/** All up to one that is sent now: a request is over a moment after its visitor has the answer. */
async function takeAll(): Promise<Taken[]> {
  const mark = `mark ${++marks}`;
  const taken: Taken[] = [];
  await vi.waitFor(async () => {
    // One that found no room is sent again.
    await post(`t=${mark}`);
    taken.push(...(await take()));
    expect(taken.at(-1)?.texts).toEqual([mark]);
  }, patience);
  return taken.filter(({ texts }) => !texts[0]!.startsWith('mark '));
}
const textsOf = async () => (await takeAll()).map(({ texts }) => texts.join(' | '));

/** A share takes two seconds to be known to a worker. */
async function draw(perMille: number, secretNames: string[] = []): Promise<void> {
  await edge.control('PUT', '/sampling', {
    per_mille: 0,
    submitted_per_mille: perMille,
    secret_names: secretNames,
  });
  await vi.waitFor(async () => {
    await post('known=known');
    expect((await take()).length > 0).toBe(perMille > 0);
  }, patience);
  if (perMille > 0) await takeAll();
}

describe('what visitors send', () => {
  it('is left alone by default, and where an earlier agent asks for answers only', async () => {
    await post('a=hello');
    await edge.control('PUT', '/sampling', { per_mille: 1000 });
    await post('a=hello');
    expect(await take()).toEqual([]);
  });

  it('is handed over as texts, by a form, JSON, parts, XML and as plain text, and reaches the origin as it was', async () => {
    await draw(1000);
    got.length = 0;
    const parts = `--b\r\nContent-Disposition: form-data; name="t"\r\n\r\nin parts\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="name.png"\r\n\r\nfile content\r\n--b--\r\n`;
    const sent: [string, string][] = [
      ['t=in+a+form', form],
      ['{"t":["in JSON"]}', 'application/json'],
      [parts, 'multipart/form-data; boundary=b'],
      ['<t>in XML</t>', 'text/xml; charset=utf-8'],
      ['as plain text', 'text/plain'],
    ];
    for (const [body, type] of sent) {
      const { status, body: answer } = await post(body, { type });
      expect([status, answer]).toEqual([200, `took ${body.length}`]);
    }
    expect(got).toEqual(sent.map(([body]) => body));
    expect(await textsOf()).toEqual([
      'in a form',
      'in JSON',
      'in parts | name.png',
      'in XML',
      'as plain text',
    ]);
    // What was told is forgotten.
    expect(await textsOf()).toEqual([]);
  });

  it('comes with the address without its query, from whoever is signed in by a cookie, too', async () => {
    await draw(1000);
    await post('t=one', { path: '/post/one?key=secret&page=2', headers: { cookie: 'session=1' } });
    await post('t=two', { method: 'PUT' });
    await post('t=three', { method: 'PATCH', host: 'limited.test' });
    expect(await takeAll()).toEqual([
      { site: 1, url: 'http://plain.test/post/one', texts: ['one'] },
      { site: 1, url: 'http://plain.test/post', texts: ['two'] },
      { site: 5, url: 'http://limited.test/post', texts: ['three'] },
    ]);
  });

  it('never has secrets, nor what the installation calls one', async () => {
    await draw(1000, ['weight', 'user[nick]']);
    await post('name=ann&password=p1&card%5Bnumber%5D=4111&weight=70&user%5Bnick%5D=a&text=hello');
    await post('{"user":"ann","credentials":{"a":"b"},"otp":"123456"}', { type: 'application/json' });
    await post('password=only');
    expect(await textsOf()).toEqual(['ann | hello', 'ann']);
    await draw(1000);
    await post('weight=70');
    expect(await textsOf()).toEqual(['70']);
  });

  it('counts only where the origin took it', async () => {
    await draw(1000);
    for (const status of [400, 401, 403, 404, 422, 500, 503])
      await post(`t=${status}`, { path: `/post?status=${status}` });
    expect((await post('t=page', { path: '/post?status=500', host: 'errors.test' })).status).toBe(200);
    await post('t=<script>alert(document.cookie)</script>', { host: 'judged.test' });
    for (const status of [201, 204, 303]) await post(`t=${status}`, { path: `/post?status=${status}` });
    await post('t=judged', { host: 'judged.test' });
    expect(await textsOf()).toEqual(['201', '204', '303', 'judged']);
  });

  it('leaves out programs that sign in, sites with signed links, what is no text, packed, too large or of no length', async () => {
    await draw(1000);
    await post('t=a', { headers: { authorization: 'Bearer x' } });
    await post('t=b', { host: 'signed.test' });
    await post('t=c', { type: 'application/octet-stream' });
    await post('t=d', { headers: { 'content-encoding': 'gzip' } });
    await post(`t=${'e '.repeat(600_000)}`);
    await post('', {});
    await post('t=f', { method: 'DELETE' });
    const socket = connect(edge.httpPort, '127.0.0.1');
    socket.end(
      `POST / HTTP/1.1\r\nHost: plain.test\r\nConnection: close\r\nContent-Type: ${form}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nt=g\r\n0\r\n\r\n`,
    );
    socket.resume();
    await once(socket, 'close');
    expect(await textsOf()).toEqual([]);
  });

  it('is read to 64 KiB, in a form, and of its texts in parts behind a file', async () => {
    await draw(1000);
    await post(`t=${'a+'.repeat(60_000)}&u=end`);
    const parts = `--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(900_000)}\r\n--b\r\nContent-Disposition: form-data; name="t"\r\n\r\nbehind it\r\n--b--\r\n`;
    expect((await post(parts, { type: 'multipart/form-data; boundary=b' })).body).toBe(
      `took ${parts.length}`,
    );
    const [long, behind] = await takeAll();
    expect(long!.texts.join('').length).toBe(65_534);
    expect(behind!.texts).toEqual(['f', 'behind it']);
  });

  it('is drawn of a site with directives of its own', async () => {
    await draw(1000);
    const text = 'add_header X-Own yes;';
    await edge.edge.direct([{ siteId: 7, text: '"add_header" "X-Own" "yes";', places: ['plain'] }]);
    await edge.applySites(
      makeSite({
        id: 7,
        domains: ['directed.test'],
        origins: [{ address: '127.0.0.1', http_port: origin.port }],
        advanced: { snippet: text },
      }),
    );
    await vi.waitFor(async () => {
      const { headers } = await post('t=directed', { host: 'directed.test' });
      expect(headers['x-own']).toBe('yes');
    }, patience);
    expect((await takeAll()).at(-1)).toMatchObject({ site: 7, texts: ['directed'] });
  });

  it('is drawn where rules have read it before, and over HTTP/2', async () => {
    await draw(1000);
    expect((await post('t=evil', { host: 'asking.test' })).status).toBe(403);
    expect((await post('t=good', { host: 'asking.test' })).status).toBe(200);
    const session = connectHttp2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: 'plain.test',
      rejectUnauthorized: false,
    });
    const call = session.request({
      ':method': 'POST',
      ':path': '/h2',
      ':authority': 'plain.test',
      'content-type': form,
      'content-length': '9',
    });
    call.end('t=over+h2');
    call.resume();
    await once(call, 'end');
    session.close();
    expect(await takeAll()).toEqual([
      { site: 6, url: 'http://asking.test/post', texts: ['good'] },
      { site: 1, url: 'https://plain.test/h2', texts: ['over h2'] },
    ]);
  });

  it('finds no more room than it has: a flood is dropped, and visitors are served', async () => {
    await draw(1000);
    const many = Array.from({ length: 200 }, (_, n) => post(`t=${n}+${'so+on+'.repeat(10_000)}`));
    const statuses = (await Promise.all(many)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    let bytes = 0;
    for (const { texts } of await takeAll()) bytes += texts.join('').length;
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(4 * 1024 * 1024);
    expect(await textsOf()).toEqual([]);
  });

  it('is held of eight at a time, the others go on at once', async () => {
    await draw(1000);
    slowAnswers = [];
    const many = Array.from({ length: 12 }, (_, n) => post(`t=${n}`, { path: '/slow' }));
    await vi.waitFor(() => expect(slowAnswers.length).toBe(12), patience);
    for (const answer of slowAnswers) answer();
    await Promise.all(many);
    expect((await takeAll()).length).toBe(8);
  });

  it('is forgotten of visitors who leave in the middle, while they send and while they wait', async () => {
    await draw(1000);
    slowAnswers = [];
    for (let n = 0; n < 20; n++) {
      const socket = connect(edge.httpPort, '127.0.0.1');
      const length = n % 2 === 0 ? 100 : 6;
      socket.write(
        `POST /slow HTTP/1.1\r\nHost: plain.test\r\nContent-Type: ${form}\r\nContent-Length: ${length}\r\n\r\nt=gone`,
      );
      if (n % 2 === 1) await vi.waitFor(() => expect(slowAnswers.length).toBe((n + 1) / 2), patience);
      socket.destroy();
    }
    expect(await textsOf()).toEqual([]);
  });
});
