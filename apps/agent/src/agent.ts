import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cacheFolders,
  ownAddresses,
  startEdge,
  type EdgeOptions,
  type EdgeProcess,
} from '@breakwater/edge/process/edge-process';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import pino, { type Logger } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { DocumentStore } from './delivery/apply.ts';
import { handlersOf } from './delivery/handlers.ts';
import { obey } from './delivery/commands.ts';
import { ControlPlane } from './delivery/control-plane.ts';
import { Bans } from './nginx/bans.ts';
import { EdgeControl } from './nginx/edge-control.ts';
import { edgeReporters } from './nginx/edge-reporter.ts';
import { GuardSharer } from './nginx/guard-sharer.ts';
import { SampleReporter } from './nginx/sample-reporter.ts';
import { HealthReporter } from './origins/health-report.ts';
import type { LogFilesOptions } from './logs/log-files.ts';
import { LiveCounter } from './live/live.ts';
import { Prober } from './origins/probe.ts';
import { Puller } from './delivery/pull.ts';
import { PortKeeper } from './nginx/ports.ts';
import { Resolver } from './origins/resolve.ts';
import { RobotChecker } from './origins/robots.ts';
import { sweepDaily } from './nginx/cache-sweep.ts';
import { fetchBans } from './delivery/fetch-bans.ts';
import { fetchKeys } from './delivery/fetch-keys.ts';
import { DirectiveKeeper } from './nginx/site-directives.ts';
import { PacketCounter, type PacketCounterOptions } from './live/packet-counter.ts';
import { reportState } from './live/report-state.ts';
import { ErrorLog } from './logs/error-log.ts';
import { LogOutput } from './logs/log-output.ts';
import { LogShipper } from './logs/ship.ts';
import { ShieldKeeper } from './nginx/shields.ts';
import { Stapler } from './nginx/staple.ts';
import { PassKeyKeeper } from './nginx/pass-keys.ts';
import { TicketKeyKeeper } from './nginx/ticket-keys.ts';
import { Supervisor } from './nginx/supervise.ts';

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
  /** Where other nodes ask this one, where it is a shield; 7443 when absent. */
  shieldPort?: number;
  /** How many connections an address may have open to this node; absent: any. */
  connectionsPerAddress?: number;
  /** Ask responders of certificates at private addresses too; without it a certificate cannot send the node there. */
  ocspPrivateAddresses?: boolean;
  /** Name servers that say whose robot an address is; the machine's own when absent. */
  robotNameServers?: readonly string[];
  /** Packets are counted by the address they come to, where the control plane wants it; absent: never. Without `addresses`, those of this machine. */
  packets?: Partial<Pick<PacketCounterOptions, 'addresses' | 'command'>>;
  logger?: Logger;
}

export interface Agent {
  /** The nginx that runs now. */
  readonly edge: EdgeProcess;
  /** Ends the agent and its nginx. */
  stop(): Promise<void>;
  /** Ends the agent alone: nginx serves on, and the next agent goes on with it. */
  leave(): Promise<void>;
}

/**
 * Starts nginx from what lies on disk, or goes on with the one that runs there, then keeps it in step with the control plane. Resolves when nginx serves, whether
 * the control plane can be reached or not.
 */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { edgeDir, logger = pino({ name: 'agent' }) } = options;
  const ending = new AbortController();
  await mkdir(edgeDir, { recursive: true, mode: 0o755 });
  const parts: Parts = assemble(options, logger, ending.signal);
  await fetchBans(parts.controlPlane, parts.documents, logger);
  await fetchKeys(parts, options, logger);
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
    async leave() {
      ending.abort();
      await running;
      parts.supervisor.leave();
      parts.control.close();
    },
  };
}

export interface Parts {
  controlPlane: ControlPlane;
  control: EdgeControl;
  resolver: Resolver;
  documents: DocumentStore;
  prober: Prober;
  health: HealthReporter;
  puller: Puller;
  shipper: LogShipper;
  live: LiveCounter;
  output: LogOutput;
  errorLog: ErrorLog;
  supervisor: Supervisor;
  ports: PortKeeper;
  stapler: Stapler;
  tickets: TicketKeyKeeper;
  passes: PassKeyKeeper;
  robots: RobotChecker;
  bans: Bans;
  shields: ShieldKeeper;
  sharer: GuardSharer;
  samples: SampleReporter;
  packets: PacketCounter | undefined;
}

const defaultShieldPort = 7443;

/** Those that other machines can send to: neither the loopback's own nor link-local ones. */
const publicAddresses = () => ownAddresses().filter((address) => !/^(?:127\.|::1$|fe[89ab])/i.test(address));

function assemble(options: AgentOptions, logger: Logger, signal: AbortSignal): Parts {
  const { edgeDir, appId, appSecret, controlPlaneUrl } = options;
  const controlPlane = new ControlPlane({ url: controlPlaneUrl, appId, appSecret }, signal);
  const control = new EdgeControl(join(edgeDir, 'run', 'control.sock'));
  const { resolver, health, prober } = assembleChecks(controlPlane, control, options, logger);
  const keepers = keepersOf(options, { controlPlane, control }, () => supervisor.edge, logger);
  const { ports, directives, tickets, robots, shields } = keepers;
  const bans = new Bans(options, { control, controlPlane, ports, robots }, logger);
  const documents = documentsOf(edgeDir, { control, resolver, prober, bans, ...keepers }, logger);
  const logs = logsOf(options, { controlPlane, control }, () => supervisor.edge, logger);
  const handlers = handlersOf(directives, control, logs.output, options);
  const sharer = new GuardSharer({ control, controlPlane, logger });
  const puller = new Puller({
    controlPlane,
    documents,
    cursorPath: join(edgeDir, 'cursor.json'),
    // Another release may know what this one has refused.
    owner: `${appId}@${controlPlaneUrl} ${manifest.version}`,
    onCommand: (command) => obey(command, handlers, controlPlane, logger),
    onWatch: (watches) => logs.live.watch(watches),
    onShares: (shares) => sharer.hear(shares),
    onReturn: () => sharer.tellAgain(),
    logger,
  });
  const supervisor: Supervisor = new Supervisor({
    start: () =>
      startEdge({
        ...options.edge,
        edgeDir,
        extraPorts: (held) => ports.load(held),
        siteDirectives: () => directives.load(),
        ticketKeys: () => tickets.load(),
        shield: () => shields.load(),
      }),
    onStart: () => tellAgain({ ...keepers, resolver, prober, bans, documents, puller }),
    logger,
  });
  const checks = { resolver, prober, health };
  return {
    controlPlane,
    control,
    ...checks,
    ...keepers,
    documents,
    bans,
    sharer,
    puller,
    ...logs,
    supervisor,
  };
}

/** What only the nginx of before knew; then it has the documents that lie here, or gets all anew. */
async function tellAgain({
  documents,
  puller,
  ...told
}: Pick<
  Parts,
  'resolver' | 'prober' | 'stapler' | 'robots' | 'bans' | 'shields' | 'passes' | 'documents' | 'puller'
>): Promise<void> {
  for (const each of [told.resolver, told.prober, told.stapler, told.robots]) await each.tellAgain();
  for (const each of [told.bans, told.shields, told.passes]) await each.tellAgain();
  if (await documents.reconcile()) puller.pullSoon();
  else puller.startOver();
}

/** Who reads the access log: for the control plane, for the operator's own receiver, and for who watches. */
function logsOf(
  options: AgentOptions,
  { controlPlane, control }: Pick<Parts, 'controlPlane' | 'control'>,
  edge: () => EdgeProcess,
  logger: Logger,
): Pick<Parts, 'shipper' | 'output' | 'errorLog' | 'live'> {
  const accessLogPath = join(options.edgeDir, 'logs', 'access.log');
  const shipper = new LogShipper({
    ...options.logs,
    controlPlane,
    accessLogPath,
    reopenLogs: async () => edge().reopenLogs(),
    isHeld: (file) => output.holds(file),
    logger,
  });
  const output: LogOutput = new LogOutput({
    accessLogPath,
    folder: join(options.edgeDir, 'log-output'),
    files: () => shipper.files(),
    linesOf: (file, position) => shipper.linesOf(file, position),
    logger,
  });
  const errorLog = new ErrorLog({
    path: join(options.edgeDir, 'logs', 'error.log'),
    reopenLogs: async () => edge().reopenLogs(),
    logger,
  });
  const live = new LiveCounter({ controlPlane, accessLogPath, control, logger });
  return { shipper, output, errorLog, live };
}

/** What documents need of nginx and its surroundings, kept for as long as they are in service. */
function keepersOf(
  options: AgentOptions,
  { controlPlane, control }: Pick<Parts, 'controlPlane' | 'control'>,
  edge: () => EdgeProcess,
  logger: Logger,
) {
  const stapler = new Stapler({
    control,
    folder: join(options.edgeDir, 'ocsp'),
    logger,
    ...(options.ocspPrivateAddresses === undefined ? {} : { privateAddresses: options.ocspPrivateAddresses }),
  });
  const ports = new PortKeeper({
    path: join(options.edgeDir, 'ports.json'),
    ...options.edge,
    listen: (open) => edge().listen(open),
    logger,
  });
  const directives = new DirectiveKeeper({ path: join(options.edgeDir, 'directives.json'), edge, logger });
  const tickets = new TicketKeyKeeper(join(options.edgeDir, 'ticket-keys.json'), edge);
  const passes = new PassKeyKeeper(join(options.edgeDir, 'pass-keys.json'), control);
  const robots = new RobotChecker({
    control,
    path: join(options.edgeDir, 'robots.json'),
    logger,
    ...(options.robotNameServers === undefined ? {} : { servers: options.robotNameServers }),
  });
  const shields = new ShieldKeeper({
    path: join(options.edgeDir, 'shields.json'),
    port: options.shieldPort ?? defaultShieldPort,
    edge,
    control,
    certify: (request) => controlPlane.certify(request),
    logger,
  });
  const samples = new SampleReporter({ control, controlPlane, logger });
  const packets =
    options.packets && new PacketCounter({ addresses: publicAddresses, ...options.packets, logger });
  return { stapler, ports, directives, tickets, passes, robots, shields, samples, packets };
}

/** Where origins are, and how they are. */
function assembleChecks(
  controlPlane: ControlPlane,
  control: EdgeControl,
  { edgeDir, edge }: AgentOptions,
  logger: Logger,
) {
  const mayAsk = (ip: string) =>
    edge.privateOrigins === true || (!isPrivateAddress(ip) && !ownAddresses().includes(ip));
  const resolver = new Resolver({
    control,
    path: join(edgeDir, 'resolved.json'),
    logger,
    onChange: () => prober.addressesChanged(),
  });
  const health = new HealthReporter({ controlPlane, logger });
  const prober: Prober = new Prober(
    // What nginx would not ask is not checked either.
    { control, logger, addressesOf: (address) => resolver.addressesOf(address).filter(mayAsk) },
    health,
  );
  return { resolver, health, prober };
}

/** Documents, and what each needs beside itself: addresses of its origins, open ports, stapled answers, directives. */
function documentsOf(
  edgeDir: string,
  parts: Pick<Parts, 'control' | 'resolver' | 'prober' | 'ports' | 'stapler' | 'robots' | 'bans'> & {
    directives: DirectiveKeeper;
  },
  logger: Logger,
): DocumentStore {
  const { control, resolver, prober, ports, stapler, directives, robots, bans } = parts;
  return new DocumentStore({
    documentsDir: join(edgeDir, 'documents'),
    control,
    logger,
    onDocument: (name, body) => {
      for (const each of [resolver, prober, ports, stapler, directives, robots, bans]) each.track(name, body);
    },
    beforeApply: async (pending) => {
      await resolver.resolveNew(pending.flatMap(({ body }) => body ?? []));
      // At once, so that nginx reloads for both together.
      const refused = await Promise.all([ports.prepare(pending), directives.prepare(pending)]);
      return new Map(refused.flatMap((each) => [...each]));
    },
    afterApply: async () => {
      await Promise.all([ports.settle(), directives.settle()]);
    },
  });
}

async function run(parts: Parts, options: AgentOptions, logger: Logger, signal: AbortSignal): Promise<void> {
  const { resolver, prober, health, documents, puller, shipper, live, output, stapler, robots, supervisor } =
    parts;
  await resolver.load();
  await puller.load(await documents.load());
  await shipper.load();
  await output.load();
  await Promise.all([stapler.load(), robots.load(), parts.bans.load()]);
  await Promise.all([
    ...[supervisor, puller, resolver, prober, health, shipper, live, output, stapler, robots].map((part) =>
      part.run(signal),
    ),
    ...[parts.errorLog, parts.bans, parts.sharer, parts.samples].map((part) => part.run(signal)),
    ...edgeReporters({ ...parts, logger }).map((reporter) => reporter.run(signal)),
    sweepDaily(
      cacheFolders(options.edge, options.edgeDir).map(({ folder }) => folder),
      logger,
      signal,
    ),
    reportState(parts, options, logger, signal),
  ]);
  await parts.packets?.remove();
}
