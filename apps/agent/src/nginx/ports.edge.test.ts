import { createServer } from 'node:net';
import { join } from 'node:path';
import type { DocumentEnvelope } from '@breakwater/contract';
import { startEdge, type EdgeProcess } from '@breakwater/edge/process/edge-process';
import { waitFor } from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { DocumentStore } from '../delivery/apply.ts';
import { EdgeControl } from './edge-control.ts';
import { PortKeeper } from './ports.ts';
import { edgeOptions, siteEnvelope, statusOf, temporaryFolder } from '../test-edge.ts';

/** A node's documents and ports; `restart` is what a restart of the agent does. */
async function startNode() {
  const edgeDir = await temporaryFolder();
  const options = await edgeOptions();
  const logger = pino({ level: 'silent' });
  let edge: EdgeProcess | undefined;
  const control = new EdgeControl(join(edgeDir, 'run/control.sock'));
  onTestFinished(async () => {
    control.close();
    await edge?.stop(0);
  });
  let ports: PortKeeper;
  let store: DocumentStore;
  const restart = async (meanwhile?: () => Promise<void>) => {
    await edge?.stop(5);
    await meanwhile?.();
    ports = new PortKeeper({
      path: join(edgeDir, 'ports.json'),
      ...options,
      listen: (open) => edge!.listen(open),
      logger,
    });
    edge = await startEdge({ ...options, edgeDir, extraPorts: () => ports.load() });
    store = new DocumentStore({
      documentsDir: join(edgeDir, 'documents'),
      control,
      logger,
      onDocument: (name, body) => ports.track(name, body),
      beforeApply: (documents) => ports.prepare(documents),
      afterApply: () => ports.settle(),
    });
    await store.load();
  };
  await restart();
  return {
    restart,
    reconcile: () => store.reconcile(),
    apply: (...documents: DocumentEnvelope[]) => store.apply(documents),
    status: (port: number, id: number) => statusOf(port, `site${id}.example.com`),
    open: () => ports.open,
    // Workers of before the reload close their sockets in their own time.
    untilClosed: (port: number) =>
      waitFor('the end of the port', () =>
        statusOf(port, 'site1.example.com').then(
          () => false,
          () => true,
        ),
      ),
    httpPort: options.httpPorts[0]!,
    httpsPort: options.httpsPorts[0]!,
  };
}

const withPorts = (id: number, revision: number, http_ports: number[], https_ports: number[] = []) =>
  siteEnvelope(id, revision, { listen_port: { http_ports, https_ports } });
const removed = (id: number, revision: number): DocumentEnvelope => ({
  kind: 'site',
  key: String(id),
  revision,
  deleted: true,
});

it('opens the ports of sites, for them alone, and closes those that none has any more', async () => {
  const node = await startNode();
  const [one, two] = (await freePorts(2)) as [number, number];
  await node.apply(siteEnvelope(1, 1));
  await expect(node.status(one, 1)).rejects.toThrow(/ECONNREFUSED/);
  // The answer comes when nginx listens, not before.
  expect(await node.apply(withPorts(2, 2, [one, two]), withPorts(3, 3, [two]))).toMatchObject([
    { status: 'applied' },
    { status: 'applied' },
  ]);
  expect([await node.status(one, 2), await node.status(two, 2), await node.status(two, 3)]).toEqual([
    502, 502, 502,
  ]);
  expect([await node.status(one, 1), await node.status(two, 1), await node.status(one, 3)]).toEqual([
    421, 421, 421,
  ]);
  expect([await node.status(node.httpPort, 1), await node.status(node.httpPort, 2)]).toEqual([502, 502]);
  await node.apply(withPorts(2, 4, []));
  await node.untilClosed(one);
  expect(await node.status(two, 3)).toBe(502);
  await node.apply(removed(3, 5));
  await node.untilClosed(two);
  expect(node.open()).toEqual({ http: [], https: [] });
});

it('refuses a document alone whose port another program has', async () => {
  const node = await startNode();
  const taken = createServer();
  const [port, free] = (await freePorts(2)) as [number, number];
  await new Promise<void>((settle) => taken.listen(port, '127.0.0.1', settle));
  onTestFinished(() => void taken.close());
  await node.apply(siteEnvelope(1, 1));
  const results = await node.apply(withPorts(1, 2, [port]), withPorts(2, 3, [free]));
  expect(results).toMatchObject([
    {
      key: '1',
      status: 'refused',
      error: `port ${port} cannot be opened on this node: another program uses it`,
    },
    { key: '2', status: 'applied' },
  ]);
  expect([await node.status(node.httpPort, 1), await node.status(free, 2)]).toEqual([502, 502]);
});

it('refuses a port that is open for the other protocol, and lets a site change its own', async () => {
  const node = await startNode();
  const [port] = (await freePorts(1)) as [number];
  await node.apply(withPorts(1, 1, [port]));
  expect(await node.apply(withPorts(2, 2, [], [port]))).toMatchObject([
    { status: 'refused', error: `port ${port} is HTTP on this node` },
  ]);
  expect(await node.apply(withPorts(2, 3, [node.httpsPort]))).toMatchObject([
    { status: 'refused', error: `port ${node.httpsPort} is HTTPS on this node` },
  ]);
  expect(await node.apply(withPorts(1, 4, [], [port]))).toMatchObject([{ status: 'applied' }]);
  expect(node.open()).toEqual({ http: [], https: [port] });
  // Plain HTTP where HTTPS is spoken now.
  expect(await node.status(port, 1)).toBe(400);
  expect(await node.apply(withPorts(2, 5, [node.httpPort]))).toMatchObject([{ status: 'applied' }]);
  expect(node.open()).toEqual({ http: [], https: [port] });
});

it('has its ports from the start after a restart, but for one that another program took meanwhile', async () => {
  const node = await startNode();
  const [kept, lost] = (await freePorts(2)) as [number, number];
  await node.apply(withPorts(1, 1, [kept]), withPorts(2, 2, [lost]));
  await node.restart();
  expect([await node.status(kept, 1), await node.status(lost, 2)]).toEqual([502, 502]);
  const thief = createServer();
  await node.restart(() => new Promise<void>((settle) => thief.listen(lost, '127.0.0.1', settle)));
  expect([await node.status(kept, 1), await node.status(node.httpPort, 2)]).toEqual([502, 502]);
  expect(node.open().http).toEqual([kept]);
  // Given back, it is had again with the next change.
  await new Promise<void>((settle) => thief.close(() => settle()));
  await node.reconcile();
  expect(await node.status(lost, 2)).toBe(502);
});
