import { startAgent, type Agent } from '@breakwater/agent/agent';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { startServer, type Server } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { firstAdministrator, readFirstPassword, readLocalNode } from './seed.ts';

/** `npm start`: the server, and an edge node beside it. Ends on SIGINT or SIGTERM, taking everything along. */

const config = readConfig();
const server = await startServer(config).catch((error: unknown) => fail('Breakwater could not start', error));
const edge = await startLocalEdge(config, server).catch((error: unknown) => {
  // The consoles are worth having without it, and they tell how to add a node elsewhere.
  process.stderr.write(`\nThe local edge could not start: ${messageOf(error)}\n`);
  return undefined;
});
await printAddresses(config, server, edge);

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    process.stdout.write('\nStopping…\n');
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail('Breakwater did not stop cleanly', error),
    );
  });

async function stop(): Promise<void> {
  await edge?.stop();
  await server.close();
}

async function startLocalEdge(
  { dataDir, localEdge, roles, edgeHttpPort, edgeHttpsPort, privateOrigins }: Config,
  { services, userUrl, hasLocalEdge }: Server,
): Promise<Agent | undefined> {
  if (!localEdge || !roles.includes('node') || userUrl === undefined) return undefined;
  if (!hasLocalEdge) {
    services.log.warn('another server of this database runs the local edge; LOCAL_EDGE=false says so here');
    return undefined;
  }
  const credentials = await readLocalNode(services.database, services.secrets);
  if (!credentials) return undefined;
  return startAgent({
    ...credentials,
    controlPlaneUrl: userUrl,
    edgeDir: join(dataDir, 'edge'),
    edge: {
      httpPorts: [edgeHttpPort],
      httpsPorts: [edgeHttpsPort],
      nodeName: 'local',
      cacheSizeMax: '10g',
      privateOrigins,
    },
    packets: {},
    logger: services.log.child({ part: 'agent' }),
  });
}

async function printAddresses(
  { dataDir, edgeHttpPort }: Config,
  { adminUrl, userUrl }: Server,
  agent: Agent | undefined,
) {
  const password = await readFirstPassword(dataDir);
  const lines = [
    '',
    'Breakwater is running.',
    '',
    ...(adminUrl
      ? [
          `  Administrator console  ${adminUrl}  (from elsewhere: http://${hostname()}:${new URL(adminUrl).port})`,
        ]
      : []),
    ...(userUrl ? [`  Customer console       ${userUrl}`] : []),
    `  Sign in as             ${firstAdministrator}`,
    `  First password         ${password ?? 'the one you noted at the first start'}`,
    ...(agent
      ? [
          `  Local edge             http://127.0.0.1:${edgeHttpPort}`,
          '',
          `  Try a site:  curl -i -H 'Host: www.example.com' http://127.0.0.1:${edgeHttpPort}/`,
        ]
      : []),
    '',
    `  Data lies in ${dataDir}. Ctrl+C stops everything.`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function fail(what: string, error: unknown): never {
  process.stderr.write(`\n${what}: ${messageOf(error)}\n`);
  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
