import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { EventHub } from './delivery/event-hub.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { LiveHub } from './live/live-hub.ts';
import type { LogStore } from './logs/log-store.ts';
import type { EventStreams } from './plugins/event-streams.ts';
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
  jobs: Jobs;
  /** Holds the agents' event lines; absent where this process has no node role. */
  hub: EventHub | undefined;
  /** One-second figures that somebody watches. */
  live: LiveHub;
  /** Answers to browsers that go on. */
  streams: EventStreams;
}
