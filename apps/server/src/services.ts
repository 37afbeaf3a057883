import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { EventHub } from './delivery/event-hub.ts';
import type { NodeSessions } from './delivery/node-sessions.ts';
import type { PlatformHttps } from './https/platform-https.ts';
import type { JobRegistry } from './jobs/define-job.ts';
import type { AccountLimits } from './limits/account-limits.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { LogStore } from './logs/log-store.ts';
import type { EventStreams } from './plugins/event-streams.ts';
import type { ConsoleFaults } from './modules/console-fault/console-faults.ts';
import type { Secrets } from './secrets.ts';

/** What the parts of the server share. Made in `app.ts`, closed there in reverse order. */
export interface Services {
  config: Config;
  /** For what is asked: nothing in it may take long. `startWorker` is given another one. */
  database: Database;
  db: Database['db'];
  secrets: Secrets;
  log: Logger;
  logStore: LogStore;
  /** What servers with the role of a worker do. */
  jobs: JobRegistry;
  /** Sessions in which nodes sign, of this process. */
  nodeSessions: NodeSessions;
  /** Holds the agents' event lines; absent where this process has no node role. */
  hub: EventHub | undefined;
  /** One-second figures that somebody watches. */
  live: LiveHub;
  /** The certificate of the listeners themselves. */
  https: PlatformHttps;
  /** How much each account may ask for. */
  limits: AccountLimits;
  /** What consoles told of their own failures. */
  consoleFaults: ConsoleFaults;
  /** Answers to browsers that go on. */
  streams: EventStreams;
}
