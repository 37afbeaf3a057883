import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** What a worker remembers of sites does not end with what it remembers of targets. */

let edge: TestEdge;
const origins: TestOrigin[] = [];

beforeAll(async () => {
  edge = await TestEdge.start({ workerProcesses: 1 });
  for (const name of ['first', 'second'])
    origins.push(await startOrigin((_request, response) => response.end(name)));
  const places = origins.map(({ port }) => ({ address: '127.0.0.1', http_port: port }));
  await edge.applySites(
    // Which origin's turn it is stands with the site that was made ready.
    makeSite({
      id: 1,
      domains: ['turns.test'],
      origins: places,
      config: { method: 'round_robin' },
      rules: [{ type: 'all', action: 'bypass' }],
    }),
    makeSite({ id: 2, domains: ['crowd.test'], origins: places }),
    makeSite({
      id: 3,
      domains: ['quiet.test'],
      origins: places,
      config: { method: 'round_robin' },
      rules: [{ type: 'all', action: 'bypass' }],
    }),
  );
});
afterAll(async () => {
  await edge.close();
  for (const origin of origins) await origin.close();
});

/** Asks for as many targets without waiting for one after the other; none reaches an origin. */
function ask(count: number, head: (n: number) => string): Promise<void> {
  return new Promise((settle, refuse) => {
    const socket = connect(edge.httpPort, '127.0.0.1');
    let asked = 0;
    let answered = 0;
    let rest = '';
    const send = () => {
      let text = '';
      for (let n = 0; n < 500 && asked < count; n++)
        text += `${head(asked++)}\r\nCache-Control: only-if-cached\r\n\r\n`;
      socket.write(text);
    };
    socket.on('error', refuse);
    socket.on('close', () => refuse(new Error(`closed after ${answered} answers`)));
    socket.on('data', (data) => {
      // A status line may come in two pieces.
      const parts = (rest + data.toString('latin1')).split('HTTP/1.1 504');
      answered += parts.length - 1;
      rest = parts.at(-1)!.slice(-'HTTP/1.1 50'.length);
      if (answered >= count) {
        socket.removeAllListeners('close');
        socket.destroy();
        settle();
      } else if (answered >= asked) send();
    });
    send();
  });
}
const turn = async (host = 'turns.test') => (await edge.get(host)).body;

it('20,000 new targets leave sites ready, those that are in use and those that nobody asks for', async () => {
  const before = await turn();
  const quiet = await turn('quiet.test');
  // In use all the while.
  for (let part = 0; part < 23; part++) {
    // As many as nginx takes on one connection.
    await ask(900, (n) => `GET /${part * 900 + n} HTTP/1.1\r\nHost: crowd.test`);
    const other = await turn();
    expect(other).not.toBe(before);
    expect(await turn()).toBe(before);
  }
  expect(await turn('quiet.test')).not.toBe(quiet);
});
