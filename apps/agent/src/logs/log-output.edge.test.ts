import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { logShippingInput } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  readSetting,
  saveSetting,
  startWorld,
  trySetting,
  waitFor,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(() => world.close());

interface Line {
  site_id?: number;
  request_uri?: string;
  test?: boolean;
}

async function startReceiver() {
  const lines: Line[] = [];
  const requests: IncomingMessage[] = [];
  const how = { status: 200 };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      requests.push(request);
      if (how.status === 200)
        lines.push(
          ...text
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Line),
        );
      response.writeHead(how.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { lines, requests, how, http_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const nodesOf = async () => (await world.admin.get('getLogShippingNodes', {})).nodes;
const save = (changes: object) => saveSetting(world, 'LogShipping', logShippingInput.parse(changes));

it('a node sends its lines to the receiver that is set, masked, and says how far it is; traffic is served on without one', async () => {
  const receiver = await startReceiver();
  const site = await makeSite(world.admin);
  const other = await makeSite(world.admin);
  for (const { domain } of [site, other])
    await waitFor('the site', async () => (await world.fetchEdge(domain, '/')).status !== 421);
  const saved = await save({
    kind: 'http',
    http_url: receiver.http_url,
    http_authorization: 'Bearer secret',
    site_ids: [site.id],
  });
  expect(saved).toMatchObject({ kind: 'http', http_authorization_set: true });
  expect(JSON.stringify(await readSetting(world, 'LogShipping'))).not.toContain('secret');
  const node = await waitFor(
    'the node has it',
    async () => (await nodesOf()).find((each) => each.in_service),
    40,
  );
  expect(await world.admin.get('testLogShipping', { params: { id: node.id } })).toEqual({ error: '' });
  await waitFor('the test line', () => receiver.lines.some(({ test }) => test));
  expect(receiver.requests[0]!.headers.authorization).toBe('Bearer secret');

  receiver.how.status = 503;
  await world.fetchEdge(other.domain, '/not-this-one');
  await world.fetchEdge(site.domain, '/one?token=abc');
  await waitFor(
    'the fault',
    async () => (await nodesOf())[0]?.state?.error === 'the receiver answered 503',
    40,
  );
  expect(await world.admin.get('testLogShipping', { params: { id: node.id } })).toEqual({
    error: 'the receiver answered 503',
  });
  expect((await world.fetchEdge(site.domain, '/two')).status).toBe(502);
  receiver.how.status = 200;
  const paths = () =>
    receiver.lines.flatMap((line) => (line.request_uri === undefined ? [] : [line.request_uri]));
  await waitFor('all lines', () => paths().includes('/two'), 40);
  expect(paths()).toEqual(['/one?token=***', '/two']);
  await waitFor(
    'its word',
    async () => {
      const [{ state } = { state: null }] = await nodesOf();
      return (
        state?.lines_sent === 2 &&
        state.bytes_waiting === 0 &&
        state.bytes_dropped === 0 &&
        state.error === ''
      );
    },
    40,
  );

  await save({ kind: 'http', http_url: receiver.http_url, line_group_ids: [1_000_000] });
  expect(await nodesOf()).toEqual([]);
  await save({});
  expect(await nodesOf()).toEqual([]);
});

it('is set by owners only, and wants to know where to', async () => {
  const { api } = await makeCustomer(world);
  expect((await api.call('getLogShipping', {})).status).toBe(404);
  for (const [changes, path] of [
    [{ kind: 'syslog' }, 'syslog_host'],
    [{ kind: 'http' }, 'http_url'],
    [{ kind: 'http', http_url: 'ftp://example.com' }, 'http_url'],
  ] as const) {
    const answer = await trySetting(world, 'LogShipping', changes);
    expect(answer).toMatchObject({ status: 400, errors: [{ path: `value.${path}` }] });
  }
  expect((await world.admin.call('testLogShipping', { params: { id: 1_000_000 } })).status).toBe(404);
});
