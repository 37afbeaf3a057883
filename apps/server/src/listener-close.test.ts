import fastify from 'fastify';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { closerOf } from './listener-close.ts';

it('a connection without a request does not hold a listener open; a request in work is answered', async () => {
  const app = fastify();
  let finish = (_answer: string) => {};
  app.get('/', () => new Promise<string>((resolve) => (finish = resolve)));
  const asked = new Promise<void>((resolve) => app.addHook('onRequest', async () => resolve()));
  const close = closerOf(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await asked;
  const unused = connect(port, '127.0.0.1');
  await once(app.server, 'connection');

  const closed = close();
  // It would be cut together with the request, after the grace.
  await once(unused.resume(), 'close');
  finish('done');
  expect(await answer).toBe('done');
  await closed;
});
