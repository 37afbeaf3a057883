import { isSecretField, type BasicAuth, type BasicAuthUser, type SiteSnapshot } from '@breakwater/contract';
import { createHmac, randomBytes } from 'node:crypto';
import type { Secrets } from '../../secrets.ts';
import type { DiffEntry, JsonValue } from '../site/site.rules.ts';

/**
 * Secrets inside a configuration, wherever a section has them: the fields whose names say so. They are stored encrypted;
 * diffs do not show them, exports leave them out, and a section that is copied between customers loses them.
 */

const secretMark = '••••••';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with every secret as a row of dots. */
function maskSecrets(value: JsonValue, key = ''): JsonValue {
  if (typeof value === 'string') return isSecretField(key) && value !== '' ? secretMark : value;
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskSecrets(item, name)]));
}

/** What changed, without saying what a secret was or is. */
export function maskDiff(entries: readonly DiffEntry[]): DiffEntry[] {
  return entries.map(({ path, before, after }) => {
    const key = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
    return {
      path,
      ...(before === undefined ? {} : { before: maskSecrets(before, key) }),
      ...(after === undefined ? {} : { after: maskSecrets(after, key) }),
    };
  });
}

/** The value without its secrets; their paths are added to `leftOut`. */
export function withoutSecrets(value: unknown, leftOut: string[] = [], path = ''): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withoutSecrets(item, leftOut, `${path}.${index}`));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, item]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof item !== 'string' || !isSecretField(name)) return [[name, withoutSecrets(item, leftOut, at)]];
    if (item !== '') leftOut.push(at);
    return [];
  });
  return Object.fromEntries(kept) as unknown;
}

/** The value with the secrets of what stood there before, where it has none of its own. */
export function keepSecrets(value: unknown, before: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(before))
    return value.map((item, index) => keepSecrets(item, sameBefore(item, before, index)));
  if (!isObject(value) || !isObject(before)) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) kept[name] = keepSecrets(item, before[name]);
  for (const [name, item] of Object.entries(before))
    if (isSecretField(name) && typeof item === 'string' && !(name in kept)) kept[name] = item;
  return kept;
}

/** Of items with names the one of that name, wherever it stood. */
function sameBefore(item: unknown, before: readonly unknown[], index: number): unknown {
  if (!isObject(item) || typeof item['name'] !== 'string') return before[index];
  return before.find((each) => isObject(each) && each['name'] === item['name']);
}

/**
 * Passwords of visitors as they are kept: nobody needs to read them again, so what stays is a salt and what the password makes
 * of it (`packages/policy/src/basic-auth.ts`).
 */
export function hashPasswords(config: SiteSnapshot, { decrypt }: Secrets): SiteSnapshot {
  const { access_control: access } = config;
  const isKept = (password: string): boolean => {
    try {
      decrypt(password);
      return true;
    } catch {
      return /^h1\.[0-9a-f]{32}\.[0-9a-f]{64}$/.test(password);
    }
  };
  if (visitorsOf(config).length === 0) return config;
  const users = visitorsOf(config).map(({ name, password }) =>
    password === undefined || password === '' || isKept(password)
      ? { name, password }
      : { name, password: hashOf(password) },
  );
  return { ...config, access_control: { ...access, basic_auth: { ...access.basic_auth, users } } };
}

/** Who may come in with a password; a configuration that today's rules would refuse may say nothing of it. */
export function visitorsOf({ access_control: access }: SiteSnapshot): BasicAuthUser[] {
  return (access.basic_auth as BasicAuth | undefined)?.users ?? [];
}

function hashOf(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `h1.${salt}.${createHmac('sha256', salt).update(password, 'utf8').digest('hex')}`;
}

/** The value with each of its secrets as `change` gives it. */
function changeSecrets<Value>(value: Value, change: (secret: string) => string): Value {
  const walk = (item: unknown, key: string): unknown => {
    if (typeof item === 'string') return isSecretField(key) && item !== '' ? change(item) : item;
    if (Array.isArray(item)) return item.map((each) => walk(each, key));
    if (!isObject(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([name, each]) => [name, walk(each, name)]));
  };
  return walk(value, '') as Value;
}

/** As it is stored: encrypted, what is not yet. */
export function sealSecrets<Value>(value: Value, { encrypt, decrypt }: Secrets): Value {
  return changeSecrets(value, (secret) => {
    try {
      decrypt(secret);
      return secret;
    } catch {
      return encrypt(secret);
    }
  });
}

/** As nodes need it. */
export const openSecrets = <Value>(value: Value, { decrypt }: Secrets): Value =>
  changeSecrets(value, decrypt);
