import { clientRoutes } from '@breakwater/contract';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, countOf } from '../../db/page.ts';
import { client, order, site, twoFactor } from '../../db/schema.ts';
import { hashPassword } from '../../password.ts';
import { implement } from '../../plugins/implement.ts';
import { endCustomerSessions } from '../account/session.store.ts';
import { assertEmailFree } from '../account/sign-in-email.store.ts';
import { settleSuspensions } from '../site/site.service.ts';
import { removeLevel } from '../site-level/site-level.service.ts';
import { changeClientPassword, clientConstraints, resetClientTwoFactor } from './client.store.ts';

/** A request waits for so many sites; the rest follows within a minute. */
const sitesAtOnceMax = 200;

const clients = crud(clientRoutes, 'Client', 'Clients', {
  table: client,
  subject: 'client',
  orderBy: [desc(client.id)],
  filter: ({ name, email, status }) =>
    and(contains(client.name, name), contains(client.email, email), status && eq(client.status, status)),
  constraints: clientConstraints,
  fields: {
    two_factor: sql`EXISTS (SELECT FROM ${twoFactor} WHERE ${and(eq(twoFactor.clientId, client.id), isNotNull(twoFactor.enabledAt))})`,
    order_count: countOf(order, eq(order.clientId, client.id)),
    site_count: countOf(site, eq(site.clientId, client.id)),
  },
  columns: async (input) => {
    if (!('password' in input)) return input;
    const { password, ...fields } = input;
    return { ...fields, passwordHash: await hashPassword(password) };
  },
  // Disabling a customer ends their sessions, and those of their members.
  follow: async (tx, change) => {
    if (change.kind === 'updated' && change.after.status === 'disabled')
      await endCustomerSessions(tx, change.after.id);
    if (change.after && change.after.email !== change.before?.email)
      await assertEmailFree(tx, change.after.email);
    if (change.kind === 'removed') await removeLevel(tx, { level: 'client', target_id: change.before.id });
  },
});

export const clientModule = implement(clientRoutes, {
  ...clients,
  updateClient: async (context) => {
    const { services, params } = context;
    await clients.updateClient(context);
    await settleSuspensions(services, { clientId: params.id, limit: sitesAtOnceMax });
    return {};
  },
  changeClientPassword: async ({ services, session, params, body }) => {
    await changeClientPassword(services.db, session, params.id, body.password);
    return {};
  },
  resetClientTwoFactor: async ({ services, session, params }) => {
    await resetClientTwoFactor(services.db, session, params.id);
    return {};
  },
});
