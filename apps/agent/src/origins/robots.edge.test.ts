import { request } from 'node:http';
import { join } from 'node:path';
import { accessControl, type AccessControl } from '@breakwater/contract';
import { startEdge } from '@breakwater/edge/process/edge-process';
import { waitFor } from '@breakwater/test-world';
import { startDnsServer } from '@breakwater/test-world/dns-server';
import { startOrigin } from '@breakwater/test-world/origin';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from '../nginx/edge-control.ts';
import { RobotChecker } from './robots.ts';
import { edgeOptions, siteDocument, siteEnvelope, temporaryFolder } from '../test-edge.ts';

const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const real = '127.66.0.5';

/** Addresses of the loopback with names, and a zone of them that cannot be read. */
const startNames = () =>
  startDnsServer('googlebot.com', ['crawl IN A 127.66.0.5', 'other IN A 127.66.0.99'], {
    '66.127.in-addr.arpa': [
      '5.0 IN PTR crawl.googlebot.com.',
      '6.0 IN PTR other.googlebot.com.',
      '7.0 IN PTR crawl.googlebot.com.example.test.',
      '8.0 IN PTR nothing.googlebot.com.',
    ],
    '67.127.in-addr.arpa': [],
  });

const test = (field: 'verified_robot' | 'false_robot') => ({
  items: [{ field, operator: 'exists' as const }],
});
const rulesOf = (input: object): { access_control: AccessControl } => ({
  access_control: accessControl.parse(input),
});

async function startNode() {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  const start = () => startEdge({ ...options, edgeDir });
  let edge = await start();
  const control = new EdgeControl(edge.controlSocket);
  onTestFinished(async () => {
    control.close();
    await edge.stop(0);
  });
  const origin = await startOrigin((_request, response) => response.end('here'));
  onTestFinished(() => origin.close());
  const { origin_server_config: config } = siteDocument(1);
  const origins = [{ ...config.origins[0]!, http_port: origin.port }];
  const site = (id: number, access: { access_control: AccessControl }) =>
    siteEnvelope(id, id, { origin_server_config: { ...config, origins }, ...access });
  const allowing = site(
    1,
    rulesOf({ rules: [{ action: 'allow', condition: test('verified_robot') }], otherwise: 'deny' }),
  );
  const denying = site(2, rulesOf({ rules: [{ action: 'deny', condition: test('false_robot') }] }));
  const serve = async () => {
    for (const { status } of await control.apply([allowing, denying])) expect(status).toBe('applied');
  };
  await serve();
  return {
    control,
    documents: [allowing, denying],
    path: join(edgeDir, 'robots.json'),
    again: async () => {
      await edge.stop(0);
      edge = await start();
      await serve();
    },
    status: (siteId: number, localAddress: string, agent = googlebot) =>
      statusFrom(options.httpPorts[0]!, `site${siteId}.example.com`, localAddress, agent),
  };
}

function statusFrom(port: number, host: string, localAddress: string, agent: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'user-agent': agent };
    const call = request({ host: '127.0.0.1', port, localAddress, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject);
    call.end();
  });
}

async function runChecker(
  { control, path, documents }: Awaited<ReturnType<typeof startNode>>,
  server: string,
) {
  const checker = new RobotChecker({ control, path, logger: pino({ level: 'silent' }), servers: [server] });
  await checker.load();
  for (const { kind, key, body } of documents) checker.track(`${kind}/${key}`, body);
  const ending = new AbortController();
  const running = checker.run(ending.signal);
  const stop = async () => {
    ending.abort();
    await running;
  };
  onTestFinished(stop);
  return { checker, stop };
}

it('a robot is verified once DNS proves it, and a false one is known as such', async () => {
  const node = await startNode();
  const names = await startNames();
  onTestFinished(() => names.close());
  const { status } = node;
  await runChecker(node, names.address);

  // Nobody waits for DNS: the first request is of a robot that is neither verified nor false.
  expect(await status(1, real)).toBe(403);
  expect(await status(2, '127.66.0.6')).toBe(200);
  expect(await status(2, '127.67.0.1')).toBe(200);
  await waitFor('the proof', async () => (await status(1, real)) === 200);
  expect(await status(2, real)).toBe(200);
  expect(await status(1, real, 'Mozilla/5.0')).toBe(403);
  expect(await status(1, real, 'Mozilla/5.0 (compatible; bingbot/2.0)')).toBe(403);

  // A name that leads elsewhere, one below another domain, one that leads nowhere, and no name at all.
  for (const address of ['127.66.0.6', '127.66.0.7', '127.66.0.8', '127.66.0.9']) {
    await waitFor(`the verdict on ${address}`, async () => (await status(2, address)) === 403);
    expect([address, await status(1, address)]).toEqual([address, 403]);
    expect([address, await status(2, address, 'Mozilla/5.0')]).toEqual([address, 200]);
  }
  // Where DNS gives no answer, nobody is called false.
  expect(await status(2, '127.67.0.1')).toBe(200);
  expect(await status(1, '127.67.0.1')).toBe(403);
});

it('what was proven is known to a nginx and an agent that start again, without a question to DNS', async () => {
  const node = await startNode();
  const names = await startNames();
  const { stop } = await runChecker(node, names.address);
  await waitFor('the proof', async () => (await node.status(1, real)) === 200);
  await waitFor('the file', async () => {
    const checker = new RobotChecker({ ...node, logger: pino({ level: 'silent' }) });
    await checker.load();
    return checker.proven.length === 1;
  });
  await stop();
  await names.close();
  await node.again();
  const { checker } = await runChecker(node, names.address);
  await checker.tellAgain();
  expect(await node.status(1, real)).toBe(200);
});
