import { authRoutes } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import { isoOrNull } from '../../db/page.ts';
import { adminGroup, adminUser, client, member } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { sessionIdOf, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { signUpClient } from '../client/client.store.ts';
import { readConsoleSetting } from '../setting/setting.store.ts';
import { countAttempt } from '../account/attempt.store.ts';
import { endSession } from '../account/session.store.ts';
import { enter, findAccount, signInByPassword } from '../account/sign-in.service.ts';

export const authModule = implement(authRoutes, {
  signInAdmin: ({ services, request, body: { username, ...entered } }) =>
    signInByPassword(services, request, { audience: 'admin', signInName: username, ...entered }),
  signInClient: ({ services, request, body: { email, ...entered } }) =>
    signInByPassword(services, request, { audience: 'user', signInName: email.toLowerCase(), ...entered }),
  signUp: async ({ services, body, request }) => {
    if (!(await readConsoleSetting(services.db)).sign_up) throw new ApiError('forbidden');
    // An address gets as many accounts as it gets wrong passwords.
    await countAttempt(services.db, { account: `sign-up:${body.email}`, address: request.ip });
    const name = `${body.firstName} ${body.lastName}`;
    const { email, password } = body;
    const id = await signUpClient(services.db, { name, email, password });
    const { token, ...rest } = await enter(
      services,
      request,
      await findAccount(services.db, { kind: 'client', id }),
    );
    return { accessToken: token, ...rest };
  },
  signOut: async ({ services, session }) => {
    await endSession(services.db, session, sessionIdOf(session));
    return {};
  },
  currentAccount: ({ services, session }) => readAccount(services, session),
});

async function readAccount({ db }: Services, session: Session) {
  if (session.kind === 'admin') {
    const [row] = await db
      .select({ user: adminUser, group: { builtin: adminGroup.builtin, name: adminGroup.name } })
      .from(adminUser)
      .innerJoin(adminGroup, eq(adminGroup.id, adminUser.groupId))
      .where(eq(adminUser.id, session.id));
    if (!row) throw notFound();
    return {
      ...presentLogin(row.user),
      username: row.user.username,
      role: 'admin',
      group: row.group,
      ...presentRights(session),
      status: 'active',
    } as const;
  }
  const table = session.kind === 'member' ? member : client;
  const [row] = await db.select().from(table).where(eq(table.id, session.id));
  if (!row) throw notFound();
  return {
    ...presentLogin(row),
    username: row.name,
    role: 'user',
    ...presentRights(session),
    // Nobody else has a session.
    status: 'active',
  } as const;
}

const presentRights = ({ permissions, sites }: Session) => ({
  permissions: [...permissions],
  limited: sites !== undefined,
});

function presentLogin(row: {
  id: number;
  name: string;
  email: string;
  lastLoginIp: string;
  lastLoginAt: Date | null;
  version: number;
}) {
  return {
    user_id: row.id,
    name: row.name,
    email: row.email,
    version: row.version,
    last_login_ip: row.lastLoginIp,
    last_login_at: isoOrNull(row.lastLoginAt),
  };
}
