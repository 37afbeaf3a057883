import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { makeAdministrator, startWorld, type World } from '@breakwater/test-world';
import { eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { adminUser } from './db/schema.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

const program = fileURLToPath(new URL('./reset-password.ts', import.meta.url));

/** What the command prints, beside the server that runs. */
function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: world.server.services.database.url,
    BREAKWATER_DATA: world.dataDir,
  };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
const passwordIn = (output: string) => /^New password of \S+: (\S+)$/m.exec(output)![1]!;

it('gives a new password, ends sessions, and forgets what was tried before', async () => {
  const one = await makeAdministrator(world, ['area.read']);
  const tryIn = (password: string) =>
    world.anonymous.call('signInAdmin', { body: { username: one.username, password } });
  await Promise.all(Array.from({ length: 6 }, () => tryIn('wrong')));
  expect((await tryIn(one.password)).status).toBe(429);
  const { code, output } = await run(one.username);
  expect(code).toBe(0);
  expect(await one.api.call('currentAccount', {})).toMatchObject({ status: 401, code: 406 });
  expect(await tryIn(one.password)).toMatchObject({ status: 401 });
  const { db } = world.server.services;
  const [row] = await db.select().from(adminUser).where(eq(adminUser.username, one.username));
  // Another process made it: tests' own hashes are cheap.
  expect(row?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await tryIn(passwordIn(output))).status).toBe(200);
}, 20_000);

it('leaves two-factor authentication on, unless it is told otherwise', async () => {
  const one = await makeAdministrator(world, ['area.read']);
  const { secret } = await one.api.get('startTwoFactor', { body: { password: one.password } });
  const one_time_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await one.api.get('confirmTwoFactor', { body: { one_time_code } });
  const tryIn = (password: string) =>
    world.anonymous.call('signInAdmin', { body: { username: one.username, password } });
  expect(await tryIn(passwordIn((await run(one.username)).output))).toMatchObject({ code: 40_101 });
  const { output } = await run(one.username, '--two-factor-off');
  expect((await tryIn(passwordIn(output))).status).toBe(200);
}, 20_000);

it('names those that there are where it finds none', async () => {
  const { code, output } = await run('nobody');
  expect(code).toBe(1);
  expect(output).toMatch(/There is no administrator “nobody”\. There are: .*admin/);
  expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('Usage') });
});
