import { startAgent, type Agent } from '@breakwater/agent/agent';
import { startServer, type Server } from '@breakwater/server/app';
import { readConfig, type Config } from '@breakwater/server/config';
import { hashCheaply } from '@breakwater/server/password';
import { readFirstPassword, readLocalNode } from '@breakwater/server/seed';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { makeApiClient, type ApiClient } from './api-client.ts';
import { startOrigin, type Handler, type Origin } from './origin.ts';
import { borrowPorts } from './ports.ts';
import { cloneDatabase, type TestDatabase } from './test-database.ts';

// A sixth of the processors' time of these tests went into passwords.
hashCheaply();

export interface WorldOptions {
  /** The database to clone: `inject('templateUrl')`. */
  templateUrl: string;
  /** Run an agent with a real nginx. */
  edge?: boolean;
  /** Run the jobs by the clock too. */
  worker?: boolean;
  /** Origins may have private addresses, as those of tests have; true unless said. */
  privateOrigins?: boolean;
  /** Whom the agent asks whose robots addresses are; the machine's name servers unless said. */
  robotNameServers?: readonly string[];
  /** The agent asks responders of certificates at private addresses, as those of tests have. */
  ocspPrivateAddresses?: boolean;
  /** Without it there are no metrics. */
  metricsToken?: string;
  /** Those of the configuration unless said. */
  databaseLimits?: Config['databaseLimits'];
  /** Instead of the embedded log store. */
  logStoreUrl?: string;
  /** `silent` unless said. */
  logLevel?: string;
  logger?: Logger;
}

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** All of Breakwater in this process: server, database, agent and nginx, on free ports and in folders of its own. */
export interface World {
  readonly server: Server;
  readonly agent: Agent | undefined;
  readonly adminUrl: string;
  readonly userUrl: string;
  readonly edgeHttpPort: number;
  readonly edgeHttpsPort: number;
  readonly edgeDir: string;
  readonly dataDir: string;
  readonly adminPassword: string;
  /** The first administrator. */
  readonly admin: ApiClient;
  /** Somebody without a session, on the admin port and on the user port. */
  readonly anonymous: ApiClient;
  readonly anonymousUser: ApiClient;
  /** Signs in and answers a client on the right port. */
  signInAdmin(username: string, password: string): Promise<ApiClient>;
  signInClient(email: string, password: string): Promise<ApiClient>;
  startOrigin(handler: Handler): Promise<Origin>;
  /** A request to the edge, for a host. */
  fetchEdge(
    host: string,
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Reply>;
  stopControlPlane(): Promise<void>;
  startControlPlane(): Promise<void>;
  stopAgent(): Promise<void>;
  startAgent(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'breakwater-'));
  // nginx's workers and PostgreSQL are other users.
  await chmod(dataDir, 0o755);
  const database = await cloneDatabase(options.templateUrl);
  const { ports, giveBack } = await borrowPorts(4);
  const [adminPort, userPort, edgeHttpPort, edgeHttpsPort] = ports as [number, number, number, number];
  const config: Config = {
    ...readConfig({
      BREAKWATER_DATA: dataDir,
      DATABASE_URL: database.url,
      BREAKWATER_HOST: '127.0.0.1',
      PRIVATE_ORIGINS: String(options.privateOrigins ?? true),
      METRICS_TOKEN: options.metricsToken,
      LOG_STORE_URL: options.logStoreUrl,
    }),
    ...(options.databaseLimits ? { databaseLimits: options.databaseLimits } : {}),
    adminPort,
    userPort,
    acmeHttpPort: edgeHttpPort,
    roles: options.worker ? ['admin', 'user', 'node', 'worker'] : ['admin', 'user', 'node'],
  };
  const world = new RunningWorld(options, config, database, { edgeHttpPort, edgeHttpsPort, giveBack });
  try {
    await world.start();
    return world;
  } catch (error) {
    await world.close();
    throw error;
  }
}

class RunningWorld implements World {
  readonly edgeHttpPort: number;
  readonly edgeHttpsPort: number;
  readonly edgeDir: string;
  readonly dataDir: string;
  readonly adminUrl: string;
  readonly userUrl: string;
  readonly anonymous: ApiClient;
  readonly anonymousUser: ApiClient;
  adminPassword = '';
  agent: Agent | undefined;
  readonly #options: WorldOptions;
  readonly #config: Config;
  readonly #database: TestDatabase;
  readonly #logger: Logger;
  readonly #origins: Origin[] = [];
  readonly #giveBackPorts: () => void;
  #server: Server | undefined;
  #admin: ApiClient | undefined;

  constructor(
    options: WorldOptions,
    config: Config,
    database: TestDatabase,
    ports: { edgeHttpPort: number; edgeHttpsPort: number; giveBack: () => void },
  ) {
    this.#options = options;
    this.#config = config;
    this.#database = database;
    this.#logger = options.logger ?? pino({ level: options.logLevel ?? 'silent' });
    this.#giveBackPorts = ports.giveBack;
    this.edgeHttpPort = ports.edgeHttpPort;
    this.edgeHttpsPort = ports.edgeHttpsPort;
    this.dataDir = config.dataDir;
    this.edgeDir = join(config.dataDir, 'edge');
    this.adminUrl = `http://127.0.0.1:${config.adminPort}`;
    this.userUrl = `http://127.0.0.1:${config.userPort}`;
    this.anonymous = makeApiClient(() => this.adminUrl);
    this.anonymousUser = makeApiClient(() => this.userUrl);
  }

  get server(): Server {
    if (!this.#server) throw new Error('the control plane is stopped');
    return this.#server;
  }

  get admin(): ApiClient {
    return this.#admin!;
  }

  async start(): Promise<void> {
    await this.startControlPlane();
    this.adminPassword = (await readFirstPassword(this.dataDir)) ?? '';
    this.#admin = await this.signInAdmin('admin', this.adminPassword);
    if (this.#options.edge) await this.startAgent();
  }

  async startControlPlane(): Promise<void> {
    this.#server = await startServer(this.#config, this.#logger);
  }

  async stopControlPlane(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async startAgent(): Promise<void> {
    const { services } = this.server;
    const credentials = (await readLocalNode(services.database, services.secrets))!;
    this.agent = await startAgent({
      ...credentials,
      controlPlaneUrl: this.userUrl,
      edgeDir: this.edgeDir,
      edge: {
        httpPorts: [this.edgeHttpPort],
        httpsPorts: [this.edgeHttpsPort],
        listenAddress: '127.0.0.1',
        workerProcesses: 2,
        cacheSizeMax: '200m',
        privateOrigins: this.#options.privateOrigins ?? true,
        nodeName: 'local',
      },
      ocspPrivateAddresses: this.#options.ocspPrivateAddresses ?? false,
      // Tests wait for what a node says of itself, and for what it is told then.
      stateIntervalSeconds: 1,
      ...(this.#options.robotNameServers === undefined
        ? {}
        : { robotNameServers: this.#options.robotNameServers }),
      logger: this.#logger,
    });
  }

  async stopAgent(): Promise<void> {
    await this.agent?.stop();
    this.agent = undefined;
  }

  async signInAdmin(username: string, password: string): Promise<ApiClient> {
    const { token } = await this.anonymous.get('signInAdmin', { body: { username, password } });
    return makeApiClient(() => this.adminUrl, token);
  }

  async signInClient(email: string, password: string): Promise<ApiClient> {
    const { token } = await this.anonymousUser.get('signInClient', { body: { email, password } });
    return makeApiClient(() => this.userUrl, token);
  }

  async startOrigin(handler: Handler): Promise<Origin> {
    const origin = await startOrigin(handler);
    this.#origins.push(origin);
    return origin;
  }

  fetchEdge(host: string, path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const target = {
        host: '127.0.0.1',
        port: this.edgeHttpPort,
        path,
        method,
        headers: { ...headers, host },
      };
      const outgoing = request({ ...target, agent: false, timeout: 30_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the edge did not answer')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  async close(): Promise<void> {
    await this.stopAgent();
    await this.stopControlPlane();
    await Promise.all(this.#origins.map((origin) => origin.close()));
    await this.#database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
    this.#giveBackPorts();
  }
}
