import { asc } from 'drizzle-orm';
import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { borrowEmbeddedPostgres } from './db/embedded.ts';
import { adminUser } from './db/schema.ts';
import { replaceLostPassword } from './modules/admin-user/admin-user.store.ts';
import { makePassword } from './password.ts';

/**
 * Gives an administrator a new password and prints it, whether the server runs or not. It reads the same environment as the
 * server: whoever can run it has the database anyway.
 */

const usage = 'Usage: npm run reset-password -- NAME [--two-factor-off]';

try {
  const { values, positionals } = parseArgs({
    options: { 'two-factor-off': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [username, ...rest] = positionals;
  if (username === undefined || rest.length > 0) throw new Error(usage);
  await reset(username, values['two-factor-off']);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function reset(username: string, twoFactorOff: boolean): Promise<void> {
  const { databaseUrl, dataDir } = readConfig();
  const postgres = databaseUrl === undefined ? await borrowEmbeddedPostgres(dataDir) : undefined;
  const database = openDatabase(databaseUrl ?? postgres!.url, { connections: 1 });
  try {
    const password = makePassword();
    const found = await replaceLostPassword(database, username, { password, twoFactorOff });
    if (!found) {
      const users = await database.db.select().from(adminUser).orderBy(asc(adminUser.username));
      throw new Error(
        `There is no administrator “${username}”. There are: ${users.map((user) => user.username).join(', ')}`,
      );
    }
    const notes = [
      'All sessions were ended.',
      twoFactorOff
        ? 'Two-factor authentication is off, and passkeys are deleted.'
        : 'Two-factor authentication and passkeys stay as they are; --two-factor-off takes them away.',
      ...(found.enabled ? [] : ['This administrator is disabled: another one has to enable them.']),
    ];
    process.stdout.write(`New password of ${username}: ${password}\n${notes.join('\n')}\n`);
  } finally {
    await database.close();
    await postgres?.stop();
  }
}
