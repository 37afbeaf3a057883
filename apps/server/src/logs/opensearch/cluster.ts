import { Client, errors } from '@opensearch-project/opensearch';
import { LogStoreBusyError, LogStoreDownError, LogStoreFullError } from '../log-store.ts';

/** Anything of OpenSearch's JSON: only what is read of it is named. */
export type Json = Record<string, unknown>;

const requestMs = 60_000;

/** The store refused one request for a reason of its own. */
export class ClusterError extends Error {
  readonly status: number;
  /** OpenSearch's name of the trouble, such as `index_not_found_exception`. */
  readonly type: string;
  constructor(status: number, type: string, reason: string) {
    super(`The log store answered ${status}: ${type}: ${reason}`);
    this.name = 'ClusterError';
    this.status = status;
    this.type = type;
  }
}

/** Where indices are kept: `https://user:password@host:9200/prefix`; without a path their names begin with `breakwater`. */
export class Cluster {
  readonly #client: Client;
  readonly prefix: string;
  /** As it may be shown: without user and password. */
  readonly shownUrl: string;
  readonly signsIn: boolean;

  constructor(url: string) {
    const { username, password, pathname, origin } = new URL(url);
    this.prefix = pathname.replaceAll('/', '') || 'breakwater';
    this.shownUrl = origin;
    this.signsIn = username !== '';
    this.#client = new Client({
      node: origin,
      ...(username === ''
        ? {}
        : { auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) } }),
      requestTimeout: requestMs,
      maxRetries: 1,
    });
  }

  /** Sends JSON, or a text of lines of it. A signal that aborts ends the request there as well. */
  async call<Answer = Json>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object | string,
    signal?: AbortSignal,
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const payload = typeof body === 'string' ? { bulkBody: body } : body ? { body } : {};
    const request = this.#client.transport.request({ method, path, ...payload });
    const stop = () => request.abort();
    signal?.addEventListener('abort', stop);
    try {
      return (await request).body as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw troubleOf(error);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** The same, with undefined for what is not there. */
  async find<Answer = Json>(path: string): Promise<Answer | undefined> {
    try {
      return await this.call<Answer>('GET', path);
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const busy = 429;
const away = 503;

/** Whether the store takes no more: its disk is nearly full, it may have no more indices, or somebody locked one. */
export const isBlocked = (type: string, status: number): boolean =>
  // With 503 the cluster itself is not there yet: it has no master, or reads its state.
  (type === 'cluster_block_exception' && status !== away) ||
  type === 'index_create_block_exception' ||
  type === 'validation_exception';

/** It knows us, and this is not for us. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof LogStoreDownError &&
  error.cause instanceof errors.ResponseError &&
  error.cause.statusCode === 403;

function troubleOf(error: unknown): unknown {
  if (!(error instanceof errors.ResponseError))
    return error instanceof errors.OpenSearchClientError ? new LogStoreDownError(error) : error;
  const status = error.statusCode ?? 0;
  const cause = (error.body as { error?: { type?: string; reason?: string } } | undefined)?.error;
  const type = cause?.type ?? 'unknown';
  if (isBlocked(type, status)) return new LogStoreFullError(error);
  if (status === busy) return new LogStoreBusyError(error);
  // Who asks is not let in, or nobody is there to answer: neither is about this request.
  if (status === 401 || status === 403 || status >= 500) return new LogStoreDownError(error);
  return new ClusterError(status, type, cause?.reason ?? error.message);
}
