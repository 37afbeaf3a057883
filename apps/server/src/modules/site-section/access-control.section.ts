import {
  accessControl,
  isGiven,
  type AccessControl,
  type BasicAuth,
  type BasicAuthUser,
} from '@breakwater/contract';
import { createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { invalid } from '../../api-error.ts';
import { askedByRules } from './asked-by-rules.ts';
import { defineSection } from './section.ts';

const openForAll = accessControl.parse({});

export const accessControlSection = defineSection('access_control', {
  /** A file holds no secrets: what it brings has to be off until one is set. */
  check({ after: { access_control: after }, path, alone }) {
    const missing = (at: string) => invalid(alone ? `${path}.${at}` : path, 'required');
    const { signing, basic_auth: login } = after;
    if (signing.enabled && (signing.secret ?? '') === '') throw missing('signing.secret');
    const bare = visitorsOf(after).findIndex(({ password }) => (password ?? '') === '');
    if (bare >= 0 && login.enabled) throw missing(`basic_auth.users.${bare}.password`);
  },
  keep: hashPasswords,
  uses: askedByRules,
  publish: (value) => (isDeepStrictEqual(value, openForAll) ? {} : { access_control: value }),
});

/** Who may come in with a password; a configuration that today's rules would refuse may say nothing of it. */
const visitorsOf = (access: AccessControl): BasicAuthUser[] =>
  (access.basic_auth as BasicAuth | undefined)?.users ?? [];

/**
 * Passwords of visitors as they are kept: nobody needs to read them again, so what stays is a salt and what the password makes
 * of it (`packages/policy/src/access/basic-auth.ts`).
 */
function hashPasswords(access: AccessControl): AccessControl {
  const users = visitorsOf(access).map((user) =>
    isGiven(user.password) ? { ...user, password: hashOf(user.password) } : user,
  );
  return users.length === 0 ? access : { ...access, basic_auth: { ...access.basic_auth, users } };
}

function hashOf(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `h1.${salt}.${createHmac('sha256', salt).update(password, 'utf8').digest('hex')}`;
}
