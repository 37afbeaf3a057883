import pg from 'pg';
import type { Logger } from 'pino';

export interface PgListenerOptions {
  databaseUrl: string;
  /** Absent: the connection is kept for what `onConnect` does with it. */
  channel?: string;
  /** With each connection, before it is in use; where it fails, so does opening, or another try is made. */
  onConnect?: (client: pg.Client) => Promise<void>;
  /** For the log: what it listens for. */
  about: string;
  logger: Pick<Logger, 'info' | 'warn'>;
  onMessage: (payload: string) => void;
  /** It listens again after it did not: what was said meanwhile is lost. */
  onReturn?: () => Promise<void>;
}

const retryMilliseconds = 500;
const answerMilliseconds = 10_000;

/** Listens to one channel of PostgreSQL on a connection of its own, and again after that broke. */
export class PgListener {
  readonly #options: PgListenerOptions;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: PgListenerOptions) {
    this.#options = options;
  }

  /** Resolves when it listens. */
  static async open(options: PgListenerOptions): Promise<PgListener> {
    const listener = new PgListener(options);
    await listener.#listen();
    return listener;
  }

  /** A peer that vanished without a word is found out by this query's failure. */
  ping(): void {
    const client = this.#client;
    client?.query('SELECT 1').catch((error: unknown) => this.#lost(client, error));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  async #listen(): Promise<void> {
    const { databaseUrl, channel, onConnect, onMessage } = this.#options;
    const client = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
    });
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection ended')));
    try {
      await client.connect();
      if (channel !== undefined) await client.query(`LISTEN ${channel}`);
      await onConnect?.(client);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) await client.end();
    else this.#client = client;
  }

  /** Only the connection in use can be lost: one that never listened has told its caller already. */
  #lost(client: pg.Client, error: unknown): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    const { logger, about } = this.#options;
    logger.warn({ err: error }, `${about}: lost the connection that listens`);
    this.#relisten();
  }

  #relisten(): void {
    const { logger, about, onReturn } = this.#options;
    this.#retry = setTimeout(() => {
      this.#listen()
        .then(async () => {
          logger.info(`${about}: listening again`);
          await onReturn?.();
        })
        .catch((error: unknown) => {
          logger.warn({ err: error }, `${about}: cannot listen yet`);
          if (!this.#closed) this.#relisten();
        });
    }, retryMilliseconds);
  }
}
