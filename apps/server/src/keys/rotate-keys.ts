import { eq } from 'drizzle-orm';
import type { Config } from '../config.ts';
import { openDatabase, type Database } from '../db/database.ts';
import { borrowEmbeddedPostgres } from '../db/embedded.ts';
import { installationKey, sealProgress } from '../db/schema.ts';
import { keyId, makeSecrets, newKey, type Keys, type Secrets } from '../secrets.ts';
import { forgetKeys } from './adopt-keys.ts';
import { keyFileOf, keyVariables, loadKeys, writeKeyFile } from './key-file.ts';
import { countOldValues } from './reseal.ts';
import { sealedColumns } from './sealed-columns.ts';

type CommandConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'encryptionKeys' | 'sessionKeys'>;
type Command = (keys: Keys, config: CommandConfig, id: string | undefined) => Promise<string[]>;

const commands: Record<string, Command> = {
  /** A new key seals from the next start on. */
  rotate: async (keys, config) => {
    const key = newKey();
    await keep(config, { ...keys, encryption: [key, ...keys.encryption] });
    return [
      `The key ${keyId(key)} is the first now. Start the server again: it seals new values with it, and all others`,
      'anew in the background. `npm run rotate-keys -- status` says how far it is.',
    ];
  },
  /** For several servers: all have to know a key before one seals with it. */
  prepare: async (keys, config) => {
    const key = newKey();
    await keep(config, { ...keys, encryption: [...keys.encryption, key] });
    return [
      `The key ${keyId(key)} is the last now: it opens values and seals none. Bring keys/secrets.json to every server and`,
      `start each again; then \`npm run rotate-keys -- use ${keyId(key)}\`, and the same once more.`,
    ];
  },
  use: async (keys, config, id) => {
    const wanted = keys.encryption.filter((key) => keyId(key) === id);
    if (wanted.length === 0) throw new Error(`There is no encryption key ${id ?? ''} here.`);
    const others = keys.encryption.filter((key) => keyId(key) !== id);
    await keep(config, { ...keys, encryption: [...wanted, ...others] });
    return [`The key ${id} is the first now: the server seals with it once it was started again.`];
  },
  /** Every session ends with the next start. */
  session: async (keys, config) => {
    const key = newKey();
    await keep(config, { ...keys, session: [key, ...keys.session] });
    return [
      `The session key ${keyId(key)} is the first now. Start the server again: everybody has to sign in anew, and links`,
      'to address tests that were handed out are good no more.',
    ];
  },
  status: (keys, config) => withDatabase(config, (database) => describe(database, keys)),
  /** What nothing needs any more. */
  retire: (keys, config) => withDatabase(config, (database) => retire(database, keys, config)),
};

/** One command on the keys of an installation. Answers what to say; throws where it cannot be done. */
export async function rotateKeys(args: readonly string[], config: CommandConfig): Promise<string[]> {
  const [name = 'rotate', id] = args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new Error(`npm run rotate-keys -- ${Object.keys(commands).join(' | ')}`);
  return command(await loadKeys(config), config, id);
}

async function keep(config: CommandConfig, keys: Keys): Promise<void> {
  if (config.encryptionKeys.length === 0) return writeKeyFile(keyFileOf(config.dataDir), keys);
  const inText = (list: readonly Buffer[]) => list.map((key) => key.toString('base64')).join(',');
  throw new Error(
    `The keys come from ${keyVariables}. Set them to these and start the server again:\n` +
      `ENCRYPTION_KEYS=${inText(keys.encryption)}\nSESSION_KEYS=${inText(keys.session)}`,
  );
}

async function withDatabase<Result>(config: CommandConfig, work: (database: Database) => Promise<Result>) {
  const postgres =
    config.databaseUrl === undefined ? await borrowEmbeddedPostgres(config.dataDir) : undefined;
  const database = openDatabase(config.databaseUrl ?? postgres!.url, { connections: 2 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await postgres?.stop();
  }
}

async function describe(database: Database, keys: Keys): Promise<string[]> {
  const secrets = makeSecrets(keys);
  const needed = await neededBy(database, secrets);
  const encryption = secrets.encryptionIds.map((id, index) => {
    const reason = needed.get(id);
    if (index === 0)
      return `encryption key ${id}: seals${reason ? `; values of the first form: ${reason}` : ''}`;
    return `encryption key ${id}: ${reason ? `still needed: ${reason}` : 'not needed, `npm run rotate-keys -- retire` removes it'}`;
  });
  const session = secrets.sessionIds.map((id, index) => {
    if (index === 0) return `session key ${id}: signs`;
    return `session key ${id}: ${needed.has(id) ? 'still needed: the server was not started again' : 'not needed'}`;
  });
  const [done] = await database.db
    .select({ done: sealProgress.done })
    .from(sealProgress)
    .where(eq(sealProgress.done, false))
    .limit(1);
  return [...encryption, ...session, ...(done ? ['Values are being sealed anew with the first key.'] : [])];
}

async function retire(database: Database, keys: Keys, config: CommandConfig): Promise<string[]> {
  const secrets = makeSecrets(keys);
  const needed = await neededBy(database, secrets);
  const stays = (key: Buffer, index: number) => index === 0 || needed.has(keyId(key));
  const left = { encryption: keys.encryption.filter(stays), session: keys.session.filter(stays) };
  const gone = [...keys.encryption, ...keys.session].filter(
    (key) => !left.encryption.includes(key) && !left.session.includes(key),
  );
  const report = [...needed].map(([id, reason]) => `${id} is still needed: ${reason}`);
  if (gone.length === 0) return [...report, 'No key was removed.'];
  await forgetKeys(database, gone.map(keyId));
  await keep(config, left);
  return [...report, ...gone.map((key) => `${keyId(key)} is removed.`)];
}

/** Why a key has to stay, by its id. The first of each kind is not asked for, unless values do not name it. */
async function neededBy({ db }: Database, secrets: Secrets): Promise<Map<string, string>> {
  const needed = new Map<string, string>();
  const noted = await db.select().from(installationKey);
  const [current] = secrets.encryptionIds;
  const sealing = await db.select().from(sealProgress).where(eq(sealProgress.keyId, current!));
  const places = sealing.filter(({ done }) => done).map(({ place }) => place);
  // Until a server has started with it and been through, one may run that seals with another.
  if (sealedColumns.some(({ place }) => !places.includes(place)))
    for (const id of secrets.encryptionIds.slice(1)) needed.set(id, 'values are not all sealed anew');
  for (const [id, counts] of await countOldValues(db, secrets))
    needed.set(id, [...counts].map(([place, count]) => `${place} ${count}`).join(', '));
  for (const { id, purpose } of noted)
    if (purpose === 'session' && id !== secrets.sessionIds[0])
      needed.set(id, 'the server was not started again');
  return needed;
}
