import type { SiteSnapshot, SiteStatus, SiteStatusReason } from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import { ApiError } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import { site } from '../../db/schema.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import type { Services } from '../../services.ts';
import { joinNotes } from '../../join-notes.ts';
import { proofStatus, settleDomains } from '../site-claim/site-claim.service.ts';
import {
  lockSite,
  lockSiteIfThere,
  publishSite,
  siteTask,
  toPublished,
  siteWithin,
  systemAuthor,
  type Author,
  type SiteWriter,
} from '../site-publish/site-publish.service.ts';
import { commitChange, type Saved } from '../site-config/site-config.service.ts';

/** Who may set which status of a site, and the suspensions that come and go by themselves: docs/site-status.md. */

export interface StatusInput {
  /** The version the caller built on; without one the status is set whatever is there, but for an operator's suspension: it stands, with its note. */
  version?: number | undefined;
  status: 'online' | 'offline' | 'suspended';
  note: string;
}
type Row = Awaited<ReturnType<typeof lockSite>>;

export async function setSiteStatus(
  services: SiteWriter,
  author: Author,
  id: number,
  input: StatusInput,
): Promise<Saved> {
  return services.db.transaction(async (tx) => {
    const row = await lockSite(tx, siteWithin(author.scope, id));
    if (input.version !== undefined && row.site.version !== input.version)
      throw new ApiError('stale_version');
    await checkAuthor(tx, author, row, input.status);
    if (isUnseen(row, input) && input.status !== 'suspended') throw new ApiError('suspended_by_operator');
    const vouches = input.status === 'online' && author.session.kind === 'admin';
    // Names that overlap with another customer's are given one by one (grantDomain), never by the way.
    if (vouches) await settleDomains(tx, row.site, { unopposed: true });
    const status = input.status === 'online' ? await proofStatus(tx, id) : input.status;
    if (vouches && status !== 'online' && isUnproven(row.site.status))
      throw new ApiError('domains_contested');
    const suspends = status === 'suspended';
    const after: SiteSnapshot = {
      ...row.site.config,
      status,
      status_reason: suspends ? 'operator' : 'none',
      status_note: suspends ? noteOf(row, input) : '',
    };
    if (JSON.stringify(after) === JSON.stringify(row.site.config)) {
      const published = toPublished(row);
      const task = siteTask('site_update', published, author.session);
      // It was online already; what the operator vouched for may be new to its nodes.
      const taskId = vouches ? await publishSite(tx, services.secrets, published, task) : null;
      return { version: row.site.version, task_id: taskId };
    }
    await tx
      .update(site)
      .set({ resumeStatus: suspends ? resumeStatusOf(row) : null })
      .where(eq(site.id, id));
    return commitChange(tx, services, row, after, 'status', author.session);
  });
}

/** Suspending, and ending it, is the platform's; while its cause stands, nobody ends it. Only the DNS or an operator opens
 * a site whose domains are not proven. */
async function checkAuthor(
  tx: Transaction,
  { session }: Author,
  row: Row,
  to: StatusInput['status'],
): Promise<void> {
  const { status: from } = row.site;
  if (session.kind !== 'admin') {
    if (from === 'suspended' || to === 'suspended') throw new ApiError('forbidden');
    if (to === 'online' && isUnproven(from)) throw new ApiError('awaiting_proof');
  }
  if (from === 'suspended' && to !== 'suspended' && (await causeOf(tx, row.site.id)) !== 'none')
    throw new ApiError('suspension_stands');
}

/** Suspended by an operator, with a note, of which the caller need not know. */
const isUnseen = ({ site: row }: Row, { version }: StatusInput): boolean =>
  version === undefined && row.status === 'suspended' && row.statusReason === 'operator';

const noteOf = (row: Row, input: StatusInput): string =>
  isUnseen(row, input) ? joinNotes(row.site.config.status_note, input.note) : input.note;

const isUnproven = (status: SiteStatus): boolean => status === 'checking' || status === 'check_failed';

const resumeStatusOf = ({ site: row }: Row) => (row.status === 'suspended' ? row.resumeStatus : row.status);

const cause = sql`CASE WHEN c.status = 'disabled' THEN 'client_disabled' WHEN o.status <> 'active' THEN 'order_suspended'
  WHEN o.end_at <= now() THEN 'order_expired' ELSE 'none' END`;

async function causeOf(tx: Transaction, siteId: number): Promise<SiteStatusReason> {
  const [row] = await rowsOf<{ cause: SiteStatusReason }>(
    tx,
    sql`SELECT ${cause} AS cause FROM site s JOIN client c ON c.id = s.client_id JOIN "order" o ON o.id = s.order_id
        WHERE s.id = ${siteId}`,
  );
  return row?.cause ?? 'none';
}

/** Sites that one run of the job changes at most; the next one goes on. */
const perRun = 5000;

/** Suspends sites whose order or customer is cause for it, and ends it where that is over. Returns how many changed. */
export async function settleSuspensions(
  services: Services,
  of: { clientId?: number; limit?: number } = {},
): Promise<number> {
  const rows = await rowsOf<{ id: number }>(
    services.db,
    sql`SELECT id FROM (
          SELECT s.id, s.status, s.status_reason, ${cause} AS cause
          FROM site s JOIN client c ON c.id = s.client_id JOIN "order" o ON o.id = s.order_id
          WHERE s.removed_at IS NULL ${of.clientId === undefined ? sql`` : sql`AND s.client_id = ${of.clientId}`}) s
        WHERE CASE WHEN status = 'suspended' THEN status_reason <> 'operator' AND status_reason <> cause
                   ELSE cause <> 'none' END
        ORDER BY id LIMIT ${of.limit ?? perRun}`,
  );
  let changed = 0;
  for (const { id } of rows) {
    const settled = await settleSuspension(services, id).catch((err: unknown) => {
      // One site that cannot be changed holds up no other; the next run tries it again.
      services.log.error({ err, site: id }, 'suspension of a site');
      return false;
    });
    if (settled) changed += 1;
  }
  return changed;
}

/** One site a transaction: a change that waits for one of them holds up no other. */
function settleSuspension(services: Services, id: number): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    const row = await lockSiteIfThere(tx, id);
    if (!row) return false;
    const reason = await causeOf(tx, id);
    const { status, statusReason } = row.site;
    const stands =
      status === 'suspended' ? statusReason === 'operator' || statusReason === reason : reason === 'none';
    if (stands) return false;
    const resumed = row.site.resumeStatus === 'offline' ? 'offline' : await proofStatus(tx, id);
    const after: SiteSnapshot = {
      ...row.site.config,
      status: reason === 'none' ? resumed : 'suspended',
      status_reason: reason,
      status_note: '',
    };
    await tx
      .update(site)
      .set({ resumeStatus: reason === 'none' ? null : resumeStatusOf(row) })
      .where(eq(site.id, id));
    await commitChange(tx, services, row, after, 'status', systemAuthor);
    return true;
  });
}
