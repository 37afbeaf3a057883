import type { Account, Role, RouteData, routes } from '@breakwater/contract';
import { storage } from './storage.ts';

/** The session as it lies in storage, under the names of spec §3. */
type SignedIn = RouteData<typeof routes.signInAdmin>;
const endListeners = new Set<() => void>();

/**
 * The session that this window was opened with. All windows share one storage: when another one signs in as somebody else,
 * this one never takes that token for its own.
 */
let own: { token: string; who: string; role: Role; isOver: boolean } | null = null;

/** The token, while login time plus its seconds is later than now. */
function storedToken(): string | null {
  const token = storage.read('jwt_access_token');
  const times = storage.readJson('expires_in') as { loginTime?: unknown; expires_in?: unknown } | null;
  const { loginTime, expires_in } = times ?? {};
  if (!token || typeof loginTime !== 'number' || typeof expires_in !== 'number') return null;
  return loginTime + expires_in * 1000 > Date.now() ? token : null;
}
const storedRole = (): Role => (storage.read('isAdmin') === 'true' ? 'admin' : 'user');
const storedWho = (): string => [storedRole(), storage.read('user_id'), storage.read('LoginInfo')].join(' ');

export const session = {
  /** The token is written last: a window that finds it finds whose it is beside it. */
  start(role: Role, data: SignedIn): void {
    storage.remove(role === 'admin' ? 'isuser' : 'isAdmin', 'LoginInfos');
    storage.write(role === 'admin' ? 'isAdmin' : 'isuser', 'true');
    storage.write('user_id', String(data.user_id));
    storage.write('LoginInfo', JSON.stringify({ username: data.username }));
    storage.write('expires_in', JSON.stringify({ loginTime: Date.now(), expires_in: data.jwt_buffer_time }));
    storage.write('jwt_access_token', data.token);
  },
  /** From now on, this window is of whoever is signed in. Null: nobody is. */
  take(): Role | null {
    const token = storedToken();
    own = token === null ? null : { token, who: storedWho(), role: storedRole(), isOver: false };
    return own && own.role;
  },
  remember(account: Account): void {
    if (session.isOthers()) return;
    const { name, email, last_login_ip } = account;
    storage.write('LoginInfos', JSON.stringify({ name, email, last_login_ip }));
  },
  /** Null: nobody is signed in, or somebody who is not whom this window was opened by. */
  token(): string | null {
    const token = storedToken();
    return session.isOthers() ? null : token;
  },
  /** Another window of the browser has signed in as somebody else. The same person's new token is taken over. */
  isOthers(): boolean {
    const token = storedToken();
    if (own === null || token === null || token === own.token) return false;
    if (storedWho() !== own.who) return true;
    own.token = token;
    own.isOver = false;
    return false;
  },
  /** It has ended, and whoever it was of has not signed in again: a window that has something to lose is still shown. */
  isOver(): boolean {
    return !session.isOthers() && own?.isOver === true;
  },
  /** The name of whoever the browser is signed in as. */
  storedName(): string {
    const { username } = (storage.readJson('LoginInfo') ?? {}) as { username?: unknown };
    return typeof username === 'string' ? username : '';
  },
  /** Null: nobody is signed in. */
  role(): Role | null {
    if (session.token() === null) return null;
    return own?.role ?? storedRole();
  },
  clear(): void {
    own = null;
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
  /** The session of this window is over. Told once, however many requests were in flight. */
  ended(): void {
    if (own === null || own.isOver) return;
    if (!session.isOthers()) storage.remove('jwt_access_token', 'isAdmin', 'expires_in');
    own.isOver = true;
    for (const listener of endListeners) listener();
  },
  onEnd(listener: () => void): () => void {
    endListeners.add(listener);
    return () => endListeners.delete(listener);
  },
  /** Calls back when this window's session has ended, and when another window has written into the storage. */
  onChange(listener: () => void): () => void {
    const forget = session.onEnd(listener);
    addEventListener('storage', listener);
    return () => {
      forget();
      removeEventListener('storage', listener);
    };
  },
};
