import type { EventKind } from '@breakwater/contract';
import type { EventData } from '../../events/event-data.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Queryable } from '../../delivery/queryable.ts';
import { clientIdOf, type Session } from '../../plugins/session.ts';

const subjects = { admin: 'admin_user', client: 'client', member: 'member' } as const;

/** Something that somebody did to their own account. */
export const recordOwn = (
  tx: Queryable,
  session: Session,
  kind: EventKind,
  data?: EventData,
): Promise<void> =>
  recordEvent(tx, {
    kind,
    subject: { kind: subjects[session.kind], id: session.id, name: session.name },
    clientId: clientIdOf(session),
    actor: session,
    ...(data === undefined ? {} : { data }),
  });
