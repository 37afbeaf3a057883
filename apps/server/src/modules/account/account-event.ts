import type { EventKind } from '@breakwater/contract';
import type { EventData } from '../../events/event-data.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Queryable } from '../../delivery/queryable.ts';
import type { Session } from '../../plugins/session.ts';

/** Something that somebody did to their own account. */
export const recordOwn = (
  tx: Queryable,
  session: Session,
  kind: EventKind,
  data?: EventData,
): Promise<void> =>
  recordEvent(tx, {
    kind,
    subject: { kind: session.kind === 'admin' ? 'admin_user' : 'client', id: session.id, name: session.name },
    clientId: session.kind === 'client' ? session.id : null,
    actor: session,
    ...(data === undefined ? {} : { data }),
  });
