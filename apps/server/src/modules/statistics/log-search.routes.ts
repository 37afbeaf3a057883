import { logSearchRoutes, type LogSearchEvent, type LogTailEvent } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import type { EventStream } from '../../plugins/event-streams.ts';
import { ranged } from './asked-range.service.ts';
import { countRecords } from './log-count.ts';
import { tailRecords } from './log-tail.service.ts';
import { searchStretches, stretchesToSearch } from './long-search.service.ts';
import { whileThere } from './while-there.service.ts';

export const logSearchModule = implement(logSearchRoutes, {
  searchAccessLogs: async ({ services, scope, session, query, request, reply }) => {
    const { current_page, page_size, ...filters } = query;
    // What cannot be answered is refused before the stream begins.
    const stretches = await ranged(services, 'record_days', query, () =>
      stretchesToSearch(services, filters),
    );
    const stream = services.streams.open<LogSearchEvent>({ services, session, request, reply });
    const page = { current_page, page_size };
    const search = searchStretches(services, scope, filters, page, stretches, stream.closed);
    void follow(search, stream, (error) => {
      services.log.warn({ err: error }, 'search of the access logs failed');
      stream.send({ type: 'failed' });
    });
    return { type: 'ping' as const };
  },

  countAccessLogs: ({ services, scope, query, reply }) =>
    whileThere(reply, (gone) =>
      ranged(services, 'record_days', query, () => countRecords(services, scope, query, gone)),
    ),

  tailAccessLogs: ({ services, scope, session, query, request, reply }) => {
    const stream = services.streams.open<LogTailEvent>({ services, session, request, reply });
    const tail = tailRecords({ store: services, scope, filters: query, signal: stream.closed });
    void follow(tail, stream, (error) => services.log.warn({ err: error }, 'tail of the access logs failed'));
    return { type: 'ping' as const };
  },
});

/** Sends what comes, and ends the stream after it. What fails because nobody listens any more is no failure. */
async function follow<Event>(
  events: AsyncGenerator<Event>,
  stream: EventStream<Event>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const event of events) stream.send(event);
  } catch (error) {
    if (!stream.closed.aborted) onFailure(error);
  } finally {
    stream.end();
  }
}
