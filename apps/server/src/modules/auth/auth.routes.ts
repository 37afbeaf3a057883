import { authRoutes } from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import { ApiError, notFound } from '../../api-error.ts';
import { isoOrNull } from '../../db/page.ts';
import { adminGroup, adminUser, client } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { issueToken, type Session } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { createClient } from '../client/client.store.ts';
import { readConsoleSetting } from '../setting/setting.store.ts';
import { clearAttempts, countAttempt } from './attempts.ts';
import { passwordMatches } from '../../password.ts';

export const authModule = implement(authRoutes, {
  signInAdmin: async ({ services, body, request }) => {
    const attempt = { account: `admin:${body.username}`, address: request.ip };
    await countAttempt(services.db, attempt);
    const [user] = await services.db.select().from(adminUser).where(eq(adminUser.username, body.username));
    const matches = await passwordMatches(user?.passwordHash, body.password);
    if (!user || !matches || !user.enabled) throw new ApiError('wrong_credentials');
    await clearAttempts(services.db, attempt);
    await services.db
      .update(adminUser)
      .set({ lastLoginIp: request.ip, lastLoginAt: new Date() })
      .where(eq(adminUser.id, user.id));
    return signedIn(services, 'admin', user.id, user.sessionEpoch, user.username);
  },
  signInClient: async ({ services, body, request }) => {
    const email = body.email.toLowerCase();
    const attempt = { account: `client:${email}`, address: request.ip };
    await countAttempt(services.db, attempt);
    const [user] = await services.db.select().from(client).where(eq(client.email, email));
    const matches = await passwordMatches(user?.passwordHash, body.password);
    if (!user || !matches || user.status !== 'active') throw new ApiError('wrong_credentials');
    await clearAttempts(services.db, attempt);
    await services.db
      .update(client)
      .set({ lastLoginIp: request.ip, lastLoginAt: new Date() })
      .where(eq(client.id, user.id));
    return signedIn(services, 'user', user.id, user.sessionEpoch, user.name);
  },
  signUp: async ({ services, body, request }) => {
    if (!(await readConsoleSetting(services.db)).sign_up) throw new ApiError('forbidden');
    // An address gets as many accounts as it gets wrong passwords.
    await countAttempt(services.db, { account: `sign-up:${body.email}`, address: request.ip });
    const name = `${body.firstName} ${body.lastName}`;
    const { email, password } = body;
    const id = await createClient(services.db, {
      name,
      email,
      password,
      phone: '',
      remark: '',
      status: 'active',
    });
    const { token, ...rest } = await signedIn(services, 'user', id, 1, name);
    return { accessToken: token, ...rest };
  },
  currentAccount: ({ services, session }) => readAccount(services, session),
});

async function signedIn(
  services: Services,
  audience: 'admin' | 'user',
  id: number,
  epoch: number,
  username: string,
) {
  const token = await issueToken(services, audience, id, epoch);
  return { token, jwt_buffer_time: services.config.sessionSeconds, user_id: id, username };
}

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
      permissions: [...session.permissions],
      status: 'active',
    } as const;
  }
  const [row] = await db.select().from(client).where(eq(client.id, session.id));
  if (!row) throw notFound();
  return {
    ...presentLogin(row),
    username: row.name,
    role: 'user',
    permissions: [...session.permissions],
    status: row.status,
  } as const;
}

function presentLogin(row: {
  id: number;
  name: string;
  email: string;
  lastLoginIp: string;
  lastLoginAt: Date | null;
}) {
  return {
    user_id: row.id,
    name: row.name,
    email: row.email,
    last_login_ip: row.lastLoginIp,
    last_login_at: isoOrNull(row.lastLoginAt),
  };
}
