import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestEdge } from './support.ts';

/** Origins that say something before they answer. */

let edge: TestEdge;
let origin: Server;
/** The first lines of requests, as they came. */
let asked: string[] = [];

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  // Sends the interim answer of the path to all but those who speak HTTP/1.0, as RFC 9110 §15.2 asks.
  origin = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const [line] = data.toString().split('\r\n');
      const [method, path, version] = line!.split(' ');
      asked.push(line!);
      const answer =
        'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\nConnection: close\r\n\r\n';
      const status = path!.slice(1, 4);
      const interim = `HTTP/1.1 ${status} Wait\r\nLink: </a.css>; rel=preload\r\n\r\n`;
      socket.end(`${version === 'HTTP/1.1' ? interim : ''}${answer}${method === 'HEAD' ? '' : 'final'}`);
    });
  });
  await new Promise<void>((settle) => origin.listen(0, '127.0.0.1', settle));
});
afterAll(async () => {
  await edge.close();
  origin.close();
});

/** A site of its own, of which nothing is known yet. */
async function serve(rules?: []): Promise<string> {
  asked = [];
  const { port } = origin.address() as AddressInfo;
  return edge.serve([{ address: '127.0.0.1', http_port: port, max_fails: 1 }], {}, rules);
}

describe.each([100, 102, 103])('an interim answer %i', (status) => {
  it('is never taken for the final one', async () => {
    const host = await serve();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const answer = await edge.get(host, `/${status}`, { method });
      expect([answer.status, answer.body, answer.headers.link]).toEqual([
        200,
        method === 'HEAD' ? '' : 'final',
        undefined,
      ]);
    }
    expect(asked[0]).toContain('HTTP/1.1');
    // Known from then on.
    expect(asked.slice(1).map((line) => line.slice(-8))).toEqual(['HTTP/1.0', 'HTTP/1.0', 'HTTP/1.0']);
  });

  it('keeps nothing from the cache', async () => {
    const host = await serve([]);
    const answers = [await edge.get(host, `/${status}`), await edge.get(host, `/${status}`)];
    expect(answers.map(({ body, headers }) => [body, headers['x-cache']])).toEqual([
      ['final', 'MISS'],
      ['final', 'HIT'],
    ]);
  });

  it('to a change ends it, since it may have been made; the next is asked for otherwise', async () => {
    const host = await serve();
    const post = () => edge.get(host, `/${status}`, { method: 'POST', body: 'x' });
    const first = await post();
    expect([first.status, first.body.includes('HTTP/1.1')]).toEqual([502, false]);
    expect(asked.length).toBe(1);
    const second = await post();
    expect([second.status, second.body]).toEqual([200, 'final']);
  });
});
