import { memberRoutes, membersMax, userPermissions, type UserPermission } from '@breakwater/contract';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains } from '../../db/page.ts';
import { member, twoFactor } from '../../db/schema.ts';
import { hashPassword } from '../../password.ts';
import { implement } from '../../plugins/implement.ts';
import { endSessions } from '../account/session.store.ts';
import { assertEmailFree } from '../account/sign-in-email.store.ts';
import { checkRights, checkSites } from './member-rights.ts';
import { changeMemberPassword, resetMemberTwoFactor } from './member.store.ts';

const members = crud(memberRoutes, 'Member', 'Members', {
  table: member,
  subject: 'member',
  orderBy: [desc(member.id)],
  filter: ({ name, email, enabled, client_id: clientId }) =>
    and(
      contains(member.name, name),
      contains(member.email, email),
      enabled && eq(member.enabled, enabled === 'yes'),
      clientId ? eq(member.clientId, clientId) : undefined,
    ),
  constraints: { member_email_unique: ['email', 'email_taken'] },
  most: membersMax,
  fields: {
    permissions: sql<
      UserPermission[]
    >`ARRAY(SELECT name FROM unnest(${member.permissions}) name WHERE name IN ${userPermissions})`,
    sites: sql<{ id: number; domain: string }[]>`(
      SELECT coalesce(json_agg(json_build_object('id', s.id, 'domain', s.config #>> '{domains,0}') ORDER BY s.id), '[]')
      FROM site s WHERE s.id = ANY (${member.siteIds}))`,
    two_factor: sql`EXISTS (SELECT FROM ${twoFactor} WHERE ${and(eq(twoFactor.memberId, member.id), isNotNull(twoFactor.enabledAt))})`,
  },
  columns: async ({ site_ids: siteIds, permissions, ...input }) => {
    const { password, ...fields } = { password: undefined, ...input };
    return {
      ...fields,
      siteIds: [...new Set(siteIds)],
      permissions: userPermissions.filter((name) => permissions.includes(name)),
      ...(password === undefined ? {} : { passwordHash: await hashPassword(password) }),
    };
  },
  follow: async (tx, { before, after }, { session }) => {
    await checkRights(tx, session, { before, after });
    if (!after) return;
    await checkSites(tx, before, after);
    if (after.email !== before?.email) await assertEmailFree(tx, after.email);
    if (!after.enabled) await endSessions(tx, { kind: 'member', id: after.id });
  },
});

export const memberModule = implement(memberRoutes, {
  ...members,
  changeMemberPassword: async ({ services, session, scope, params, body }) => {
    await changeMemberPassword(services.db, { session, scope }, params.id, body.password);
    return {};
  },
  resetMemberTwoFactor: async ({ services, session, scope, params }) => {
    await resetMemberTwoFactor(services.db, { session, scope }, params.id);
    return {};
  },
});
