import { readFile } from 'node:fs/promises';
import pino from 'pino';
import * as z from 'zod';
import { startAgent } from './agent.ts';

/**
 * The agent as a program. It is configured by its environment; the secret may come in a file, and never as an
 * argument, which every user of the machine could read.
 */
const ports = z
  .string()
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(z.int().min(1).max(65_535)).min(1));
/** `/mnt/a/cache=400g,/mnt/b/cache`: half of a disk where no size is given. */
const disks = z
  .string()
  .regex(/^(?:\/[^",=\\$]+(?:=\d+[kmg])?(?:,(?!$)|$))*$/i)
  .transform((text) =>
    text
      .split(',')
      .filter(Boolean)
      .map((each) => {
        const [folder = '', sizeMax] = each.split('=');
        return sizeMax === undefined ? { folder } : { folder, sizeMax };
      }),
  );
const environment = z
  .object({
    CONTROL_PLANE_URL: z.url({ protocol: /^https?$/ }),
    NODE_APP_ID: z.string().length(16),
    NODE_APP_SECRET: z.string().length(32).optional(),
    NODE_APP_SECRET_FILE: z.string().optional(),
    EDGE_DIR: z.string().default('/var/lib/breakwater-edge'),
    NODE_NAME: z.string().min(1).optional(),
    EDGE_HTTP_PORTS: ports.default([80]),
    EDGE_HTTPS_PORTS: ports.default([443]),
    /** Ports that take the PROXY protocol of a load balancer before this node. */
    EDGE_PROXY_HTTP_PORTS: ports.default([]),
    EDGE_PROXY_HTTPS_PORTS: ports.default([]),
    /** Where other nodes ask this one, where it is a shield of its line group. */
    EDGE_SHIELD_PORT: z.coerce.number().pipe(z.int().min(1).max(65_535)).default(7443),
    /** All addresses when absent. */
    EDGE_LISTEN_ADDRESS: z.string().optional(),
    /** Where answers are kept; the folder of the edge when empty. */
    EDGE_CACHE_DISKS: disks.default([]),
    /** How many connections an address may have open to this node, idle ones too; as many as it likes when absent. */
    EDGE_CONNECTIONS_PER_ADDRESS: z.coerce.number().pipe(z.int().min(1).max(1_000_000)).optional(),
    /** `true`: origins may have private addresses, and this node's own. */
    EDGE_PRIVATE_ORIGINS: z.enum(['true', 'false']).default('false'),
    LOG_LEVEL: z.string().default('info'),
  })
  .refine(
    (values) => (values.NODE_APP_SECRET === undefined) !== (values.NODE_APP_SECRET_FILE === undefined),
    {
      error: 'give one of NODE_APP_SECRET and NODE_APP_SECRET_FILE',
      path: ['NODE_APP_SECRET'],
    },
  );

const settings = environment.safeParse(process.env);
if (!settings.success) {
  process.stderr.write(`The environment is not valid:\n${z.prettifyError(settings.error)}\n`);
  process.exit(2);
}
const { data } = settings;
const logger = pino({ name: 'agent', level: data.LOG_LEVEL });
const appSecret = data.NODE_APP_SECRET ?? (await readFile(data.NODE_APP_SECRET_FILE ?? '', 'utf8')).trim();
const agent = await startAgent({
  controlPlaneUrl: data.CONTROL_PLANE_URL,
  appId: data.NODE_APP_ID,
  appSecret,
  edgeDir: data.EDGE_DIR,
  shieldPort: data.EDGE_SHIELD_PORT,
  packets: {},
  ...(data.EDGE_CONNECTIONS_PER_ADDRESS === undefined
    ? {}
    : { connectionsPerAddress: data.EDGE_CONNECTIONS_PER_ADDRESS }),
  edge: {
    httpPorts: data.EDGE_HTTP_PORTS,
    httpsPorts: data.EDGE_HTTPS_PORTS,
    proxyHttpPorts: data.EDGE_PROXY_HTTP_PORTS,
    proxyHttpsPorts: data.EDGE_PROXY_HTTPS_PORTS,
    nodeName: data.NODE_NAME ?? data.NODE_APP_ID,
    cacheDisks: data.EDGE_CACHE_DISKS,
    privateOrigins: data.EDGE_PRIVATE_ORIGINS === 'true',
    ...(data.EDGE_LISTEN_ADDRESS === undefined ? {} : { listenAddress: data.EDGE_LISTEN_ADDRESS }),
  },
  logger,
}).catch((error: unknown) => {
  logger.fatal({ err: error }, 'the edge does not start');
  process.exit(1);
});
logger.info({ pid: agent.edge.pid, edgeDir: data.EDGE_DIR }, 'the edge serves');

let stopping = false;
// The agent is restarted by SIGTERM, as systemd does, and nginx serves on. SIGINT and SIGQUIT take the node out of service.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'stopping');
    // Those it is the first process of go with it in any case.
    const end = signal === 'SIGTERM' && process.pid !== 1 ? agent.leave() : agent.stop();
    end.then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'could not stop in order');
        process.exit(1);
      },
    );
  });
