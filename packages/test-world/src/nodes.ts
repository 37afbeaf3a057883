import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { startAgent, type Agent } from '@breakwater/agent/agent';
import pino from 'pino';
import { makeNode } from './factories.ts';
import { borrowPorts } from './ports.ts';
import type { World } from './world.ts';

/** A node with its agent and its nginx, at an address of its own on the loopback. */
export interface StartedNode {
  readonly id: number;
  readonly name: string;
  readonly ip: string;
  readonly edgeDir: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartedNodes {
  readonly list: readonly StartedNode[];
  /** That all of them listen at. */
  readonly httpPort: number;
  /** Asks one by HTTPS as a browser does that trusts this authority (PEM): another certificate fails it. */
  visit(node: StartedNode, host: string, path: string, authority: string): Promise<NodeVisit>;
  close(): Promise<void>;
}

export interface NodeVisit {
  /** SHA-256, of the certificate that was served. */
  fingerprint: string;
  body: string;
  /** `X-Cache`. */
  cache: string;
}

/** Nodes as an operator has them: in one line group, where they take the place of the local node, and at the same ports. */
export async function startNodes(world: World, count: number): Promise<StartedNodes> {
  const { ports, giveBack } = await borrowPorts(1);
  const [shieldPort] = ports as [number];
  const { edgeHttpPort: httpPort, edgeHttpsPort: httpsPort } = world;
  const running: (Agent | undefined)[] = [];
  const startOne = async (index: number): Promise<StartedNode> => {
    const [name, ip] = [`n${index}`, `127.0.0.${index + 11}`];
    const edgeDir = join(world.dataDir, `edge-${index}`);
    const { id, app_id: appId, app_secret: appSecret } = await makeNode(world, { name, ip });
    const start = async () => {
      running[index] = await startAgent({
        controlPlaneUrl: world.userUrl,
        appId,
        appSecret,
        edgeDir,
        shieldPort,
        stateIntervalSeconds: 0.2,
        logger: pino({ level: 'silent' }),
        edge: {
          httpPorts: [httpPort],
          httpsPorts: [httpsPort],
          listenAddress: ip,
          workerProcesses: 1,
          cacheSizeMax: '64m',
          documentsSizeMax: '64m',
          privateOrigins: true,
          nodeName: name,
        },
      });
    };
    const stop = async () => {
      await running[index]?.stop();
      running[index] = undefined;
    };
    await start();
    return { id, name, ip, edgeDir, start, stop };
  };
  const close = async () => {
    await Promise.all(running.flatMap((agent) => (agent ? [agent.stop()] : [])));
    giveBack();
  };
  try {
    const list: StartedNode[] = [];
    for (let index = 0; index < count; index++) list.push(await startOne(index));
    await takeLineGroup(world, list);
    const visit: StartedNodes['visit'] = ({ ip }, host, path, ca) =>
      get({ host: ip, port: httpsPort, path, servername: host, headers: { host }, ca, agent: false });
    return { list, httpPort, visit, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function get(options: RequestOptions): Promise<NodeVisit> {
  return new Promise((resolve, reject) => {
    const asked = request(options, (response) => {
      const { fingerprint256: fingerprint } = (response.socket as TLSSocket).getPeerCertificate();
      const cache = String(response.headers['x-cache']);
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ fingerprint, body: Buffer.concat(chunks).toString(), cache }));
    });
    asked.on('error', reject).end();
  });
}

async function takeLineGroup({ admin }: World, nodes: readonly StartedNode[]): Promise<void> {
  const { list: groups } = await admin.get('listLineGroups', { query: {} });
  const params = { id: groups.find(({ name }) => name === 'Default')!.id };
  const { list: bound } = await admin.get('listLineGroupNodes', { params, query: {} });
  const remove = bound.map(({ id }) => id);
  await admin.get('bindNodes', { params, body: { add: nodes.map(({ id }) => id), remove } });
}
