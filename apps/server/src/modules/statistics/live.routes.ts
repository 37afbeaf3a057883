import { liveRoutes, type LiveEvent } from '@breakwater/contract';
import type { AskedWatch } from '../../delivery/notifications.ts';
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
  const own = 'all' in scope ? undefined : scope.clientId;
  // Somebody else's: nothing has a customer with this number.
  const client = own === undefined ? asked.client_id : (asked.client_id ?? own) === own ? own : nobody;
  const wanted = {
    ...(asked.site_id === undefined ? {} : { site_id: asked.site_id }),
    ...(asked.order_id === undefined ? {} : { order_id: asked.order_id }),
    ...(client === undefined ? {} : { client_id: client }),
    ...(asked.node_id === undefined ? {} : { node_id: asked.node_id }),
  };
  const key = Object.entries(wanted)
    .map(([name, value]) => `${name.charAt(0)}${value}`)
    .join(' ');
  return { key: key || 'all', ...wanted };
}

const nobody = 2_147_483_647;
