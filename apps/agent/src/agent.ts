import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeState } from '@breakwater/contract';
import { startEdge, type EdgeOptions, type EdgeProcess } from '@breakwater/edge/edge-process';
import pino, { type Logger } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { DocumentStore } from './apply.ts';
import { pause } from './backoff.ts';
import { ControlPlane } from './control-plane.ts';
import { EdgeControl } from './edge-control.ts';
import { HealthReporter } from './health-report.ts';
import type { LogFilesOptions } from './log-files.ts';
import { Prober } from './probe.ts';
import { Puller } from './pull.ts';
import { MachineMeter } from './report.ts';
import { Resolver } from './resolve.ts';
import { LogShipper } from './ship.ts';
import { Supervisor } from './supervise.ts';

export interface AgentOptions {
  /** Where the node API is: the origin of the control plane's user port. */
  controlPlaneUrl: string;
  appId: string;
  appSecret: string;
  /** Everything of this edge lies here. */
  edgeDir: string;
  /** Ports and the like of nginx. */
  edge: Omit<EdgeOptions, 'edgeDir'>;
  /** Limits of the access log on disk. */
  logs?: Partial<Omit<LogFilesOptions, 'accessLogPath' | 'reopenLogs' | 'logger'>>;
  stateIntervalSeconds?: number;
  logger?: Logger;
}

export interface Agent {
  /** The nginx that runs now. */
  readonly edge: EdgeProcess;
  /** Ends the agent and its nginx. */
  stop(): Promise<void>;
}

/**
 * Starts nginx from what lies on disk, then keeps it in step with the control plane. Resolves when nginx serves, whether
 * the control plane can be reached or not.
 */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { edgeDir, logger = pino({ name: 'agent' }) } = options;
  const ending = new AbortController();
  await mkdir(edgeDir, { recursive: true, mode: 0o755 });
  const parts: Parts = assemble(options, logger, ending.signal);
  await parts.supervisor.start();
  const running = run(parts, options, logger, ending.signal);
  return {
    get edge() {
      return parts.supervisor.edge;
    },
    async stop() {
      ending.abort();
      await running;
      await parts.supervisor.stop();
      parts.control.close();
    },
  };
}

interface Parts {
  controlPlane: ControlPlane;
  control: EdgeControl;
  resolver: Resolver;
  documents: DocumentStore;
  prober: Prober;
  health: HealthReporter;
  puller: Puller;
  shipper: LogShipper;
  supervisor: Supervisor;
}

function assemble(options: AgentOptions, logger: Logger, signal: AbortSignal): Parts {
  const { edgeDir, appId, appSecret, controlPlaneUrl } = options;
  const controlPlane = new ControlPlane({ url: controlPlaneUrl, appId, appSecret }, signal);
  const control = new EdgeControl(join(edgeDir, 'run', 'control.sock'));
  const { resolver, health, prober } = assembleChecks(controlPlane, control, edgeDir, logger);
  const documents = new DocumentStore({
    documentsDir: join(edgeDir, 'documents'),
    control,
    logger,
    onDocument: (name, body) => {
      resolver.track(name, body);
      prober.track(name, body);
    },
    beforeApply: (bodies) => resolver.resolveNew(bodies),
  });
  const cursorPath = join(edgeDir, 'cursor.json');
  const puller = new Puller({
    controlPlane,
    documents,
    cursorPath,
    owner: `${appId}@${controlPlaneUrl}`,
    logger,
  });
  const supervisor = new Supervisor({
    start: () => startEdge({ ...options.edge, edgeDir }),
    onStart: async () => {
      await resolver.tellAgain();
      await prober.tellAgain();
      if (await documents.reconcile()) puller.pullSoon();
      else puller.startOver();
    },
    logger,
  });
  const shipper = new LogShipper({
    ...options.logs,
    controlPlane,
    accessLogPath: join(edgeDir, 'logs', 'access.log'),
    reopenLogs: async () => supervisor.edge.reopenLogs(),
    logger,
  });
  return { controlPlane, control, resolver, prober, health, documents, puller, shipper, supervisor };
}

/** Where origins are, and how they are. */
function assembleChecks(controlPlane: ControlPlane, control: EdgeControl, edgeDir: string, logger: Logger) {
  const resolver = new Resolver({
    control,
    path: join(edgeDir, 'resolved.json'),
    logger,
    onChange: () => prober.addressesChanged(),
  });
  const health = new HealthReporter({ controlPlane, logger });
  const prober: Prober = new Prober(
    { control, logger, addressesOf: (address) => resolver.addressesOf(address) },
    health,
  );
  return { resolver, health, prober };
}

async function run(parts: Parts, options: AgentOptions, logger: Logger, signal: AbortSignal): Promise<void> {
  const { resolver, prober, health, documents, puller, shipper, supervisor } = parts;
  await resolver.load();
  await puller.load(await documents.load());
  await shipper.load();
  await Promise.all([
    supervisor.run(signal),
    puller.run(signal),
    resolver.run(signal),
    prober.run(signal),
    health.run(signal),
    shipper.run(signal),
    reportState(parts, options, logger, signal),
  ]);
}

async function reportState(
  parts: Parts,
  options: AgentOptions,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const meter = new MachineMeter(options.edgeDir);
  let failing = false;
  while (!signal.aborted) {
    try {
      await parts.controlPlane.report(await stateOf(parts, options, meter));
      failing = false;
    } catch (error) {
      if (!failing && !signal.aborted) logger.warn({ err: error }, 'state not reported; trying on');
      failing = true;
    }
    await pause((options.stateIntervalSeconds ?? 5) * 1000, signal);
  }
}

async function stateOf(parts: Parts, { edge }: AgentOptions, meter: MachineMeter): Promise<NodeState> {
  const { control, supervisor, shipper, documents } = parts;
  const nginx = supervisor.isRunning ? await control.state().catch(() => undefined) : undefined;
  return {
    version: manifest.version,
    nginx_version: nginx?.nginx_version ?? '',
    nginx_running: nginx !== undefined,
    brotli: nginx?.brotli ?? false,
    instance_id: nginx?.instance_id ?? '',
    uptime_seconds: process.uptime(),
    ...(await meter.read()),
    connections: nginx?.connections ?? 0,
    documents: nginx ? nginx.documents.site + nginx.documents.certificate : documents.size,
    http_ports: edge.httpPorts,
    https_ports: edge.httpsPorts,
    log_backlog: shipper.backlogBytes,
    log_dropped: shipper.droppedBytes,
  };
}
