import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { makeSite, TestEdge } from '../../packages/edge/test/support.ts';

/** What nobody has asked for yet, by many at once. */

/** Requests of wrk that are never asked twice, by this run of it or another. */
export const neverAskedScript =
  'local run, n = os.time(), 0\nrequest = function() n = n + 1; return wrk.format(nil, "/cold/" .. run .. "/" .. n .. ".html") end\n';

const crowd = 5000;
const collapsing = 1000;
const slowSeconds = 5;

/** Of 5,000 visitors who ask for something else each, how many do not get it. */
export async function benchBurst(): Promise<number> {
  const answers = await withOrigin(
    (_, answer) => answer.setHeader('Cache-Control', 'max-age=600').end('cold'),
    (edge) => visit(edge, crowd, (index) => `/burst-${index}`),
  );
  return answers.filter((answer) => !answer.startsWith('HTTP/1.1 200') || !answer.endsWith('cold')).length;
}

/** How often 1,000 visitors of one object make its origin, which takes five seconds, give it. */
export async function benchCollapsed(): Promise<number> {
  let asked = 0;
  const answers = await withOrigin(
    (_, answer) => {
      asked += 1;
      setTimeout(() => answer.setHeader('Cache-Control', 'max-age=600').end('slow'), slowSeconds * 1000);
    },
    (edge) => visit(edge, collapsing, () => '/slow'),
  );
  const wrong = answers.filter((answer) => !answer.startsWith('HTTP/1.1 200') || !answer.endsWith('slow'));
  if (wrong.length > 0) throw new Error(`${wrong.length} visitors of a slow object did not get it`);
  return asked;
}

async function withOrigin(
  answer: RequestListener,
  act: (edge: TestEdge) => Promise<string[]>,
): Promise<string[]> {
  const origin = createServer(answer);
  await once(origin.listen({ port: 0, host: '127.0.0.1', backlog: 65_535 }), 'listening');
  const edge = await TestEdge.start({ workerProcesses: 2 });
  try {
    await edge.applySites(siteOf(origin));
    return await act(edge);
  } finally {
    await edge.close();
    origin.closeAllConnections();
    origin.close();
  }
}

const siteOf = (origin: Server) =>
  makeSite({
    id: 1,
    domains: ['cold.test'],
    origins: [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }],
  });

/** What each gets; all are connected before the first asks. */
async function visit(edge: TestEdge, count: number, pathOf: (index: number) => string): Promise<string[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => open(edge)));
  return Promise.all(sockets.map((socket, index) => ask(socket, pathOf(index))));
}

async function open({ httpPort }: TestEdge): Promise<Socket> {
  const socket = connect(httpPort, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function ask(socket: Socket, path: string): Promise<string> {
  return new Promise((settle) => {
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.on('error', () => {});
    socket.on('close', () => settle(text));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: cold.test\r\nConnection: close\r\n\r\n`);
  });
}
