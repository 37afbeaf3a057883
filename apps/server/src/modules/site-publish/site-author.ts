import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { systemActor } from '../../events/record-event.ts';
import type { Session } from '../../plugins/session.ts';
import type { Scope } from '../../scope.ts';
import type { Secrets } from '../../secrets.ts';

/** Who changes a site, and with what. */

/** The database may be a transaction: what is written is then part of it. */
export interface SiteWriter {
  db: Db;
  secrets: Secrets;
  config: Pick<Config, 'privateOrigins'>;
}
export interface Author {
  session: Session;
  scope: Scope;
}
/** Whom a revision and a task name: a person, or the platform itself. */
export type RevisionAuthor = Pick<Session, 'id' | 'name' | 'kind' | 'token'> | typeof systemActor;
export { systemActor as systemAuthor };
