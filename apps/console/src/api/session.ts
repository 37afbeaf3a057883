import type { Account, Role, RouteData, routes } from '@breakwater/contract';
import { storage } from './storage.ts';

/** The session as it lies in storage, under the names of spec §3. */
type SignedIn = RouteData<typeof routes.signInAdmin>;
const endListeners = new Set<() => void>();

export const session = {
  start(role: Role, data: SignedIn): void {
    session.clear();
    storage.write('jwt_access_token', data.token);
    storage.write('expires_in', JSON.stringify({ loginTime: Date.now(), expires_in: data.jwt_buffer_time }));
    storage.write(role === 'admin' ? 'isAdmin' : 'isuser', 'true');
    storage.write('user_id', String(data.user_id));
    storage.write('LoginInfo', JSON.stringify({ username: data.username }));
  },
  remember(account: Account): void {
    const { name, email, last_login_ip } = account;
    storage.write('LoginInfos', JSON.stringify({ name, email, last_login_ip }));
  },
  /** The token, while login time plus its seconds is later than now. */
  token(): string | null {
    const token = storage.read('jwt_access_token');
    const times = storage.readJson('expires_in') as { loginTime?: unknown; expires_in?: unknown } | null;
    const { loginTime, expires_in } = times ?? {};
    if (!token || typeof loginTime !== 'number' || typeof expires_in !== 'number') return null;
    return loginTime + expires_in * 1000 > Date.now() ? token : null;
  },
  /** Null: nobody is signed in. */
  role(): Role | null {
    if (session.token() === null) return null;
    return storage.read('isAdmin') === 'true' ? 'admin' : 'user';
  },
  clear(): void {
    storage.remove(
      'jwt_access_token',
      'isAdmin',
      'expires_in',
      'isuser',
      'user_id',
      'LoginInfo',
      'LoginInfos',
    );
  },
  /** The server ended the session. Told once, however many requests were in flight. */
  ended(): void {
    if (storage.read('jwt_access_token') === null) return;
    storage.remove('jwt_access_token', 'isAdmin', 'expires_in');
    for (const listener of endListeners) listener();
  },
  onEnd(listener: () => void): () => void {
    endListeners.add(listener);
    return () => endListeners.delete(listener);
  },
};
