import { parseNetwork } from '@breakwater/policy/address/ip';
import { resolve } from 'node:path';
import * as z from 'zod';
import { connectionsMin } from './db/connections.ts';
import type { DatabaseLimits } from './db/database.ts';

export const roleNames = ['admin', 'user', 'node', 'worker'] as const;
export type ServerRole = (typeof roleNames)[number];

const port = z.coerce.number().int().min(0).max(65_535);
const seconds = z.coerce.number().int().min(1).max(3600);
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const byComma = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
const networkList = byComma.refine((parts) => parts.every((part) => parseNetwork(part) !== undefined), {
  error: 'an address or a CIDR block each',
});
const keyList = z
  .string()
  .default('')
  .transform((text) => (text === '' ? [] : text.split(',')))
  .transform((texts) => texts.map((text) => Buffer.from(text.trim(), 'base64')))
  .refine((keys) => keys.every(({ length }) => length === 32), { error: 'a key has 32 bytes, in base64' });

/**
 * The environment, and nothing but it, configures the server. `docs/configuration.md` holds the same table; a
 * repository rule keeps the two equal.
 */
export const environment = {
  BREAKWATER_DATA: {
    schema: z.string().min(1).optional(),
    default: '/var/lib/breakwater as root, else ./data',
    about: 'Data folder of the server: database, logs, keys, the local edge.',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: '',
    about:
      'URL of your own PostgreSQL with the contrib extension pg_trgm. If empty, the server runs one inside the data folder.',
  },
  DATABASE_CONNECTIONS: {
    schema: z.coerce.number().int().min(connectionsMin).max(500).default(30),
    default: '30',
    about:
      'Maximum number of PostgreSQL connections of this process. With several processes, the sum must not exceed max_connections.',
  },
  DATABASE_STATEMENT_SECONDS: {
    schema: seconds.default(30),
    default: '30',
    about: 'Statement timeout: a request whose statement takes longer fails with 503.',
  },
  DATABASE_LOCK_SECONDS: {
    schema: seconds.default(10),
    default: '10',
    about: 'Lock timeout: a request that waits longer for a locked row fails with 503.',
  },
  DATABASE_IDLE_SECONDS: {
    schema: seconds.default(60),
    default: '60',
    about: 'Idle timeout: a request whose transaction is idle for longer fails with 503.',
  },
  ENCRYPTION_KEYS: {
    schema: keyList,
    default: '',
    about:
      'Encryption keys of the database, 32 bytes each in Base64, separated by commas: the first encrypts, the others only decrypt. Set together with SESSION_KEYS. If empty, the keys in keys/secrets.json of the data folder are used.',
  },
  SESSION_KEYS: {
    schema: keyList,
    default: '',
    about: 'Keys for session tokens, in the same format. Only the first one signs and verifies.',
  },
  LOG_STORE_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .refine((url) => /^\/?([a-z0-9][a-z0-9_-]{0,60}\/?)?$/.test(new URL(url).pathname), {
        error: 'the path, which names of indices begin with, is of small letters, digits, - and _',
      })
      .optional(),
    default: '',
    about:
      'OpenSearch (2.15 or later) or Elasticsearch (8) for access logs: https://user:password@host:9200. Index names start with breakwater, or with the path of the URL. If empty, access logs are stored in DuckDB inside the data folder.',
  },
  BREAKWATER_HOST: {
    schema: z.string().min(1).default('0.0.0.0'),
    default: '0.0.0.0',
    about: 'Address that both ports listen on.',
  },
  ADMIN_PORT: {
    schema: port.default(8090),
    default: '8090',
    about: 'Port of the administrator console and API.',
  },
  USER_PORT: {
    schema: port.default(8080),
    default: '8080',
    about: 'Port of the customer console and API, and of the node API.',
  },
  HTTP_PORT: {
    schema: port.optional(),
    default: '',
    about:
      'Port, usually 80, on which the control plane answers certificate authorities for its own domain names and redirects everything else to HTTPS. If empty, there is none.',
  },
  ACME_HTTP_PORT: {
    schema: port.default(80),
    default: '80',
    about:
      'Port at which the control plane looks for answers of http-01 before it tells the authority. Authorities ask port 80; a private one may ask another.',
  },
  PUBLIC_ADMIN_URL: {
    schema: z.url().optional(),
    default: '',
    about: 'Public URL of the administrator API, if browsers reach it through a proxy.',
  },
  PUBLIC_USER_URL: {
    schema: z.url().optional(),
    default: '',
    about: 'Public URL of the customer API, if browsers and nodes reach it through a proxy.',
  },
  TRUSTED_PROXIES: {
    schema: byComma,
    default: '',
    about: 'Trusted proxies whose X-Forwarded-For is used: IPs or CIDR blocks, separated by commas.',
  },
  BREAKWATER_ROLES: {
    schema: z
      .string()
      .default(roleNames.join(','))
      .transform((text) => text.split(','))
      .pipe(z.array(z.enum(roleNames)).min(1)),
    default: roleNames.join(','),
    about: 'Roles of this process.',
  },
  LOCAL_EDGE: {
    schema: flag.default(true),
    default: 'true',
    about: 'Run an edge node on the machine of the server.',
  },
  EDGE_HTTP_PORT: { schema: port.default(8000), default: '8000', about: 'HTTP port of the local edge.' },
  EDGE_HTTPS_PORT: {
    schema: port.default(8443),
    default: '8443',
    about: 'HTTPS port of the local edge.',
  },
  PRIVATE_ORIGINS: {
    schema: flag.default(false),
    default: 'false',
    about:
      'Allow private addresses as origins, such as 10.0.0.1 or 127.0.0.1, including those of the local edge. Anyone who can edit a site can then reach the services there.',
  },
  PROVIDER_NETWORKS: {
    schema: networkList,
    default: '',
    about:
      'Private IPs or CIDR blocks, separated by commas, that provider accounts of the platform may reach, such as a DNS server next to the control plane. Accounts of customers reach public addresses only.',
  },
  COUNTRY_MMDB: {
    schema: z.string().default(''),
    default: '',
    about:
      'MaxMind DB file of countries to use instead of the built-in one, unless a file is activated in the console. It is checked for changes every ten minutes.',
  },
  SESSION_SECONDS: {
    schema: z.coerce.number().int().min(60).max(2_592_000).default(28_800),
    default: '28800',
    about: 'Lifetime of a session.',
  },
  APP_NAME: {
    schema: z.string().min(1).max(50).default('Breakwater'),
    default: 'Breakwater',
    about: 'Name of the platform shown in the consoles.',
  },
  METRICS_TOKEN: {
    schema: z.string().min(16).max(200).optional(),
    default: '',
    about:
      'Bearer token for the Prometheus metrics at /metrics on the administrator port. If empty, metrics are disabled.',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    default: 'info',
    about: 'Minimum level of the log lines on standard output.',
  },
} as const;

export interface Config {
  dataDir: string;
  databaseUrl: string | undefined;
  databaseConnections: number;
  databaseLimits: DatabaseLimits;
  /** Empty: those in the data folder. Either none of both, or some of each. */
  encryptionKeys: readonly Buffer[];
  sessionKeys: readonly Buffer[];
  logStoreUrl: string | undefined;
  host: string;
  adminPort: number;
  userPort: number;
  /** Undefined: none. */
  httpPort: number | undefined;
  acmeHttpPort: number;
  publicAdminUrl: string | undefined;
  publicUserUrl: string | undefined;
  trustedProxies: string[];
  roles: readonly ServerRole[];
  localEdge: boolean;
  edgeHttpPort: number;
  edgeHttpsPort: number;
  privateOrigins: boolean;
  providerNetworks: readonly string[];
  countryMmdb: string;
  sessionSeconds: number;
  appName: string;
  /** Empty: no metrics. */
  metricsToken: string;
  logLevel: string;
}

/** Reads the environment. Throws one error that names every variable that is wrong. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const wrong: string[] = [];
  const read = <Name extends keyof typeof environment>(name: Name) => {
    const text = env[name] === '' ? undefined : env[name];
    const result = environment[name].schema.safeParse(text);
    if (!result.success) wrong.push(`${name}: ${result.error.issues[0]?.message ?? 'not valid'}`);
    return result.data as z.infer<(typeof environment)[Name]['schema']>;
  };
  const dataDir = read('BREAKWATER_DATA') ?? (process.getuid?.() === 0 ? '/var/lib/breakwater' : './data');
  const config: Config = {
    dataDir: resolve(dataDir),
    databaseUrl: read('DATABASE_URL'),
    databaseConnections: read('DATABASE_CONNECTIONS'),
    databaseLimits: {
      statementSeconds: read('DATABASE_STATEMENT_SECONDS'),
      lockSeconds: read('DATABASE_LOCK_SECONDS'),
      idleSeconds: read('DATABASE_IDLE_SECONDS'),
    },
    encryptionKeys: read('ENCRYPTION_KEYS'),
    sessionKeys: read('SESSION_KEYS'),
    logStoreUrl: read('LOG_STORE_URL'),
    host: read('BREAKWATER_HOST'),
    adminPort: read('ADMIN_PORT'),
    userPort: read('USER_PORT'),
    httpPort: read('HTTP_PORT'),
    acmeHttpPort: read('ACME_HTTP_PORT'),
    publicAdminUrl: read('PUBLIC_ADMIN_URL'),
    publicUserUrl: read('PUBLIC_USER_URL'),
    trustedProxies: read('TRUSTED_PROXIES'),
    roles: read('BREAKWATER_ROLES'),
    localEdge: read('LOCAL_EDGE'),
    edgeHttpPort: read('EDGE_HTTP_PORT'),
    edgeHttpsPort: read('EDGE_HTTPS_PORT'),
    privateOrigins: read('PRIVATE_ORIGINS'),
    providerNetworks: read('PROVIDER_NETWORKS'),
    countryMmdb: read('COUNTRY_MMDB'),
    sessionSeconds: read('SESSION_SECONDS'),
    appName: read('APP_NAME'),
    metricsToken: read('METRICS_TOKEN') ?? '',
    logLevel: read('LOG_LEVEL'),
  };
  if ((config.encryptionKeys?.length === 0) !== (config.sessionKeys?.length === 0))
    wrong.push('ENCRYPTION_KEYS and SESSION_KEYS: both or neither');
  if (wrong.length > 0) throw new Error(`The environment is not valid:\n  ${wrong.join('\n  ')}`);
  return config;
}
