import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase, type TestDatabase } from '@breakwater/test-world';
import { getTableColumns, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openDatabase, type Database } from '../db/database.ts';
import { sealedFormOf } from '../db/columns.ts';
import * as schema from '../db/schema.ts';
import { keyId, makeSecrets, newKey } from '../secrets.ts';
import { adoptKeys } from './adopt-keys.ts';
import { keyFileOf, loadKeys } from './key-file.ts';
import { resealValues } from './reseal.ts';
import { rotateKeys } from './rotate-keys.ts';
import { sealedColumns } from './sealed-columns.ts';

let folder: string;
let other: string;
let copy: TestDatabase;
let database: Database;
const log = pino({ level: 'silent' });
const noKeys = { encryptionKeys: [], sessionKeys: [] };
const configOf = (dataDir: string) => ({ dataDir, databaseUrl: copy.url, ...noKeys });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  other = await mkdtemp(join(tmpdir(), 'keys-'));
  copy = await cloneDatabase(inject('templateUrl'));
  database = openDatabase(copy.url);
});
afterEach(async () => {
  await database.close();
  await copy.drop();
  await Promise.all([folder, other].map((each) => rm(each, { recursive: true })));
});

/** As a server starts. */
async function start(dataDir: string) {
  const config = configOf(dataDir);
  const secrets = makeSecrets(await loadKeys(config));
  await adoptKeys(database, secrets, config);
  return secrets;
}

/** The job in a process of its own, slowly. */
const workerScript = `
  const { openDatabase } = await import('${new URL('../db/database.ts', import.meta.url).href}');
  const { loadKeys } = await import('${new URL('./key-file.ts', import.meta.url).href}');
  const { makeSecrets } = await import('${new URL('../secrets.ts', import.meta.url).href}');
  const { resealValues } = await import('${new URL('./reseal.ts', import.meta.url).href}');
  const { db } = openDatabase(process.env.URL);
  const { encrypt, ...others } = makeSecrets(await loadKeys({ dataDir: process.env.FOLDER, encryptionKeys: [], sessionKeys: [] }));
  const wait = new Int32Array(new SharedArrayBuffer(4));
  const secrets = { ...others, encrypt: (text) => (Atomics.wait(wait, 0, 0, 5), encrypt(text)) };
  await resealValues({ db, secrets, log: { info() {} } });
`;

const put = (key: string, value: unknown) =>
  database.db
    .insert(schema.setting)
    .values({ key, value })
    .onConflictDoUpdate({ target: schema.setting.key, set: { value } });
const textOf = async () =>
  JSON.stringify(
    (await database.db.select().from(schema.setting).orderBy(schema.setting.key)).map(({ value }) => value),
  );

describe('the keys of a database', () => {
  it('are those of its first server; another one refuses to start and says what to do', async () => {
    const [id] = (await start(folder)).encryptionIds;
    await expect(start(other)).rejects.toThrow(
      new RegExp(
        `needs the encryption key ${id}.*\n.*${keyFileOf(other)}.*Copy keys/secrets.json.*ENCRYPTION_KEYS`,
      ),
    );
    await writeFile(keyFileOf(other), await readFile(keyFileOf(folder)));
    await start(other);
    expect((await stat(keyFileOf(folder))).mode & 0o777).toBe(0o600);
  });

  it('are those of one of two servers that start at once, and the other one refuses', async () => {
    const results = await Promise.allSettled([start(folder), start(other)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('may be the same at once', async () => {
    const keys = await loadKeys(configOf(folder));
    const config = { ...configOf(other), encryptionKeys: keys.encryption, sessionKeys: keys.session };
    await Promise.all([1, 2, 3].map(() => adoptKeys(database, makeSecrets(keys), config)));
    await expect(readFile(keyFileOf(other))).rejects.toThrow('ENOENT');
  });

  it('are asked of what a database from before holds', async () => {
    const keys = { encryption: [newKey()], session: [newKey()] };
    const [area] = await database.db.insert(schema.area).values({ name: 'x' }).returning();
    const appSecret = makeSecrets(keys).encrypt('secret');
    await database.db.insert(schema.node).values({ name: 'x', areaId: area!.id, appId: 'x', appSecret });
    await expect(start(folder)).rejects.toThrow('encrypted with keys that this server does not have');
    await adoptKeys(database, makeSecrets(keys), configOf(folder));
  });

  it('come from a file of an earlier version, and from none that is broken', async () => {
    const key = randomBytes(32).toString('base64');
    await start(folder);
    await writeFile(keyFileOf(folder), JSON.stringify({ encryption: key, session: key }));
    expect((await loadKeys(configOf(folder))).encryption).toEqual([Buffer.from(key, 'base64')]);
    await writeFile(keyFileOf(folder), `{ "encryption": "${key}", "session": "x" }`);
    const refused = loadKeys(configOf(folder));
    await expect(refused).rejects.toThrow('holds no keys');
    await expect(refused).rejects.not.toThrow(key);
  });
});

describe('a new encryption key', () => {
  const many = 150;

  it('takes over everything, in steps that go on where a killed server stopped; then the old one goes', async () => {
    const before = await start(folder);
    await put('plain', { text: 'v1.this-only-looks-sealed-and-is-what-a-customer-wrote' });
    for (let index = 0; index < many; index++)
      await put(`secret-${index}`, {
        deep: [{ a: before.encrypt(`text ${index}`) }],
        b: before.encrypt('b'),
      });
    expect(await rotateKeys([], configOf(folder))).toHaveLength(2);
    const secrets = await start(folder);
    const [current, old] = secrets.encryptionIds as [string, string];
    expect(old).toBe(before.encryptionIds[0]);

    // Some steps, and then it is killed: all that it knew is gone, and what it had under way is undone.
    const worker = spawn(process.execPath, ['--input-type=module', '-e', workerScript], {
      env: { ...process.env, URL: copy.url, FOLDER: folder },
      stdio: 'ignore',
    });
    const ended = once(worker, 'exit');
    const isBegun = async () => (await textOf()).includes(`v2.${current}.`);
    await expect.poll(isBegun, { timeout: 30_000, interval: 20 }).toBe(true);
    worker.kill('SIGKILL');
    await ended;
    expect((await textOf()).includes(`v2.${old}.`)).toBe(true);
    expect(await rotateKeys(['retire'], configOf(folder))).toContain('No key was removed.');
    expect(await loadKeys(configOf(folder))).toHaveProperty('encryption.length', 2);
    const steps = await database.db.select().from(schema.sealProgress);
    expect(steps.every(({ keyId: id }) => id === current)).toBe(true);

    while ((await resealValues({ db: database.db, secrets, log })) !== undefined);
    const text = await textOf();
    expect(text.includes(old)).toBe(false);
    expect(text.includes('v1.this-only-looks-sealed')).toBe(true);
    expect(text.split(`v2.${current}.`)).toHaveLength(2 * many + 1);

    expect(await rotateKeys(['status'], configOf(folder))).toContainEqual(
      expect.stringContaining(`${old}: not needed`),
    );
    expect(await rotateKeys(['retire'], configOf(folder))).toContain(`${old} is removed.`);
    const after = await start(folder);
    expect(after.encryptionIds).toEqual([current]);
    const [row] = await database.db
      .select()
      .from(schema.setting)
      .where(sql`key = 'secret-7'`);
    expect(after.decrypt((row!.value as { deep: [{ a: string }] }).deep[0].a)).toBe('text 7');
  });

  it('leaves the old one while a value that a slower server wrote needs it', async () => {
    const before = await start(folder);
    await rotateKeys([], configOf(folder));
    const secrets = await start(folder);
    while ((await resealValues({ db: database.db, secrets, log })) !== undefined);
    await put('late', { a: before.encrypt('late') });
    const [, old] = secrets.encryptionIds;
    expect(await rotateKeys(['retire'], configOf(folder))).toContain(
      `${old} is still needed: setting.value 1`,
    );
    await rotateKeys(['use', old!], configOf(folder));
    expect((await start(folder)).encryptionIds[0]).toBe(old);
  });

  it('that was prepared opens, and seals once it is used', async () => {
    const [first] = (await start(folder)).encryptionIds;
    await rotateKeys(['prepare'], configOf(folder));
    const prepared = await start(folder);
    expect(prepared.encryptionIds[0]).toBe(first);
    // Whoever lacks it does not start any more.
    const keys = await loadKeys(configOf(folder));
    const lacking = makeSecrets({ ...keys, encryption: keys.encryption.slice(0, 1) });
    await expect(adoptKeys(database, lacking, configOf(other))).rejects.toThrow(prepared.encryptionIds[1]!);
    await rotateKeys(['use', prepared.encryptionIds[1]!], configOf(folder));
    expect((await start(folder)).encryptionIds).toEqual([prepared.encryptionIds[1], first]);
  });

  it('is printed, not written, where keys come from the environment', async () => {
    const keys = { encryptionKeys: [newKey()], sessionKeys: [newKey()] };
    await expect(rotateKeys(['rotate'], { ...configOf(folder), ...keys })).rejects.toThrow(
      `,${keys.encryptionKeys[0]!.toString('base64')}`,
    );
  });
});

it('a new session key signs, and the one before goes', async () => {
  const before = await start(folder);
  await rotateKeys(['session'], configOf(folder));
  expect(await rotateKeys(['retire'], configOf(folder))).toContain('No key was removed.');
  const after = await start(folder);
  expect(after.sessionKey).not.toEqual(before.sessionKey);
  expect(after.linkKey).not.toBe(before.linkKey);
  expect(await rotateKeys(['retire'], configOf(folder))).toContain(`${before.sessionIds[0]} is removed.`);
  expect((await start(folder)).sessionIds).toEqual([keyId(Buffer.from(after.sessionKey))]);
  await expect(rotateKeys(['what'], configOf(folder))).rejects.toThrow('rotate | prepare');
});

it('the columns with sealed values are these, each with a primary key', () => {
  expect(sealedColumns.map(({ place }) => place).toSorted()).toEqual([
    'acme_account.account_key',
    'acme_account.eab_hmac_key',
    'captcha_account.params',
    'certificate.private_key',
    'certificate_order.order_key',
    'dns_account.params',
    'edge_authority.private_key',
    'edge_document.body',
    'idempotency_key.answer',
    'node.app_secret',
    'setting.value',
    'site.config',
    'site_batch.input',
    'site_revision.snapshot',
    'two_factor.secret',
  ]);
  for (const { primaryKey } of sealedColumns) expect(primaryKey.length).toBeGreaterThan(0);
});

it('a column whose name sounds like a secret is sealed, hashed, or named here with what it holds', () => {
  const harmless: Record<string, string> = {
    'edge_document.key': 'which document',
    'node_document.key': 'which document',
    'edge_use.depKey': 'which document',
    'callback_seen.key': 'which callback of a sender',
    'acme_account.eabKeyId': 'the name of a key',
    'acme_account.keyType': 'which kind of key',
    'certificate_order.keyType': 'which kind of key',
    'certificate_order.reuseKey': 'whether a key is kept',
    'operation_item.key': 'which document, or which site',
    'idempotency_key.key': 'which call of an account',
    'setting.key': 'which setting',
    'sign_in_attempt.key': 'whose tries are counted',
    'site_domain.token': 'everybody can read it in the DNS',
    'seal_progress.keyId': 'the id of a key',
    'admin_user.passwordHash': 'argon2id',
    'client.passwordHash': 'argon2id',
    'member.passwordHash': 'argon2id',
    'passkey.credentialId': 'which passkey',
    'passkey.publicKey': 'public',
    'known_vulnerability.key': 'the public key of who signed',
  };
  const sounding = Object.values(schema)
    .filter((each) => is(each, PgTable))
    .flatMap((table) =>
      Object.entries(getTableColumns(table)).flatMap(([name, column]) => {
        const place = `${(table as unknown as Record<symbol, string>)[Symbol.for('drizzle:Name')]}.${name}`;
        const sounds = /pass(?:word|wd)|secret|token|private|credential|authorization|key/i.test(name);
        return sounds && !sealedFormOf(column) && !Object.hasOwn(harmless, place) ? [place] : [];
      }),
    );
  expect(sounding).toEqual([]);
});
