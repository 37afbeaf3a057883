import { liveRoutes, type LiveEvent } from '@breakwater/contract';
import type { AskedWatch } from '../../delivery/notifications.ts';
import { invalid } from '../../api-error.ts';
import { implement } from '../../plugins/implement.ts';
import type { Scope } from '../../scope.ts';

export const liveModule = implement(liveRoutes, {
  watchLive: ({ services, session, scope, query, request, reply }) => {
    const watch = watchOf(scope, query);
    services.live.admit(watch);
    const stream = services.streams.open<LiveEvent>({ services, session, request, reply });
    const forAdmin = session.kind === 'admin';
    services.live.watch(
      watch,
      ({ connections, ...second }) => stream.send(forAdmin ? { ...second, connections } : second),
      stream.closed,
    );
    return { type: 'ping' as const };
  },
});

type Asked = { [Name in 'site_id' | 'order_id' | 'client_id' | 'node_id']?: number | undefined };

/** A customer watches their own traffic, whatever they ask for. */
function watchOf(scope: Scope, asked: Asked): AskedWatch {
  const client = within(scope.clients === 'all' ? undefined : scope.clients, 'client_id', asked);
  const siteId = within(scope.sites, 'site_id', asked);
  const wanted = {
    ...(siteId === undefined ? {} : { site_id: siteId }),
    ...(asked.order_id === undefined ? {} : { order_id: asked.order_id }),
    ...(client === undefined ? {} : { client_id: client }),
    ...(asked.node_id === undefined ? {} : { node_id: asked.node_id }),
  };
  const key = Object.entries(wanted)
    .map(([name, value]) => `${name.charAt(0)}${value}`)
    .join(' ');
  return { key: key || 'all', ...wanted };
}

/** Of several one has to be named, for figures of one only are watched. */
function within(ids: readonly number[] | undefined, name: 'client_id' | 'site_id', asked: Asked) {
  const id = asked[name] ?? (ids?.length === 1 ? ids[0] : undefined);
  if (ids === undefined) return id;
  if (id === undefined) throw invalid(name, 'required');
  return ids.includes(id) ? id : nobody;
}

/** Somebody else's: nothing has this number. */
const nobody = 2_147_483_647;
