import { allows } from '@breakwater/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Services } from '../services.ts';
import { countedAccountOf, holderOf, readSession, scopeOf, type Session } from './session.ts';

/** Open answers of one account, and of a server process. */
const perAccountMax = 8;
const allMax = 400;
/** A reader that is so far behind is cut off, and comes back. */
const unreadBytesMax = 512 * 1024;
const checkMilliseconds = 5000;

export interface EventStream<Event> {
  send(event: Event): void;
  /** Aborts when either side has ended it. */
  readonly closed: AbortSignal;
  end(): void;
}

interface Caller {
  services: Services;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Answers that go on: server-sent events to browsers. Each is counted, kept alive, checked for its session every few
 * seconds, and ended with the server.
 */
export class EventStreams {
  /** What ends each, and whose it is. */
  readonly #open = new Map<() => void, string>();
  #closed = false;

  /** Takes over an answer whose caller has passed the guard. Throws `too_many_streams`. */
  open<Event>({ services, session, request, reply }: Caller): EventStream<Event | { type: 'ping' }> {
    if (this.#closed) throw new ApiError('unavailable');
    const account = countedAccountOf(session);
    const own = [...this.#open.values()].filter((each) => each === account).length;
    if (own >= perAccountMax || this.#open.size >= allMax) throw new ApiError('too_many_streams');
    const ending = new AbortController();
    const { raw } = reply;
    const end = () => {
      ending.abort();
      raw.end();
    };
    this.#open.set(end, account);
    const send = (event: Event | { type: 'ping' }) => {
      if (ending.signal.aborted) return;
      if (raw.writableLength > unreadBytesMax) raw.destroy();
      else raw.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const check = setInterval(() => {
      send({ type: 'ping' });
      stillMay(services, session, request).then(
        (may) => may || end(),
        // The database is away: nothing says that the session ended.
        () => undefined,
      );
    }, checkMilliseconds);
    ending.signal.addEventListener('abort', () => {
      clearInterval(check);
      this.#open.delete(end);
    });
    raw.on('close', () => ending.abort());
    raw.on('error', () => ending.abort());
    reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    send({ type: 'ping' });
    return { send, closed: ending.signal, end };
  }

  /** Ends all, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const end of this.#open.keys()) end();
  }
}

/** Whether the session still is good for what it reads, and of the same rows as when it began. Throws when nobody can say. */
async function stillMay(services: Services, session: Session, request: FastifyRequest): Promise<boolean> {
  try {
    const now = await readSession(services, session.kind === 'admin' ? 'admin' : 'user', request);
    const { access } = request.routeOptions.config;
    const isSameScope = JSON.stringify(scopeOf(now)) === JSON.stringify(scopeOf(session));
    return isSameScope && access !== undefined && allows(access, holderOf(now));
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
