import { startAgent, type Agent } from '../../apps/agent/src/agent.ts';
import type { ServerProcess } from './server-process.ts';

/** A node of one nginx worker on the loopback, at ports for HTTP and HTTPS. */
export const startNode = (
  { userUrl }: ServerProcess,
  node: { app_id: string; app_secret: string },
  edgeDir: string,
  [httpPort, httpsPort]: [number, number],
): Promise<Agent> =>
  startAgent({
    controlPlaneUrl: userUrl,
    appId: node.app_id,
    appSecret: node.app_secret,
    edgeDir,
    edge: {
      httpPorts: [httpPort],
      httpsPorts: [httpsPort],
      listenAddress: '127.0.0.1',
      workerProcesses: 1,
      cacheSizeMax: '100m',
      privateOrigins: true,
      nodeName: 'bench',
    },
  });
