import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePorts, makeApiClient, waitFor } from '@breakwater/test-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The server as `npm start` runs it: a process of its own with the embedded PostgreSQL. */

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
let dataDir: string;
let env: Record<string, string>;
let adminUrl: string;
const started: Running[] = [];

interface Running {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'breakwater-life-'));
  await chmod(dataDir, 0o755);
  const [adminPort, userPort] = await freePorts(2);
  adminUrl = `http://127.0.0.1:${adminPort}`;
  env = {
    BREAKWATER_DATA: dataDir,
    BREAKWATER_HOST: '127.0.0.1',
    ADMIN_PORT: String(adminPort),
    USER_PORT: String(userPort),
    LOCAL_EDGE: 'false',
    LOG_LEVEL: 'info',
  };
});
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Running {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const running = { child, output: () => text, ended };
  started.push(running);
  return running;
}

const ready = (running: Running) =>
  Promise.race([
    waitFor('the server', () => running.output().includes('Breakwater is running'), 50),
    running.ended.then((code) => {
      throw new Error(`the server ended with ${code}: ${running.output()}`);
    }),
  ]);
const passwordIn = (text: string) => /First password\s+(\S+)/.exec(text)?.[1] ?? '';
const signIn = (password: string) =>
  makeApiClient(() => adminUrl).call('signInAdmin', { body: { username: 'admin', password } });
const postgresPid = async () =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10);
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The new password of the first administrator. */
async function resetPassword(): Promise<string> {
  const program = fileURLToPath(new URL('./reset-password.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'admin'], {
    env: { ...process.env, ...env },
  });
  return /: (\S+)$/m.exec(stdout)?.[1] ?? '';
}

describe('the server process', () => {
  it('says how to sign in, ends cleanly with its PostgreSQL, and starts again with the same data', async () => {
    const first = start();
    await ready(first);
    const password = passwordIn(first.output());
    const { data } = await signIn(password);
    const api = makeApiClient(() => adminUrl, data.token);
    await api.get('createArea', { body: { name: 'kept' } });
    const pid = await postgresPid();
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(alive(pid)).toBe(false);

    const second = start();
    await ready(second);
    expect((await signIn(password)).status).toBe(200);
    expect((await api.get('listAreas', { query: { name: 'kept' } })).total).toBe(1);
  });

  it('has a command for a lost password, that works while it runs and while it does not', async () => {
    const first = start();
    await ready(first);
    const pid = await postgresPid();
    const beside = await resetPassword();
    expect((await signIn(beside)).status).toBe(200);
    expect(alive(pid)).toBe(true);
    first.child.kill('SIGTERM');
    await first.ended;
    const alone = await resetPassword();
    await expect(postgresPid()).rejects.toThrow('ENOENT');

    const second = start();
    await ready(second);
    expect((await signIn(beside)).status).toBe(401);
    expect((await signIn(alone)).status).toBe(200);
  });

  it('adopts the PostgreSQL that a killed server left, and stops it in the end', async () => {
    const first = start();
    await ready(first);
    const pid = await postgresPid();
    first.child.kill('SIGKILL');
    await first.ended;
    expect(alive(pid)).toBe(true);

    const second = start();
    await ready(second);
    expect(second.output()).toContain('adopting');
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    expect(alive(pid)).toBe(false);
  });

  it('recovers when PostgreSQL was killed too', async () => {
    const first = start();
    await ready(first);
    process.kill(await postgresPid(), 'SIGKILL');
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start();
    await ready(second);
    expect((await signIn(passwordIn(second.output()))).status).toBe(200);
  });

  it('says that it is not ready while PostgreSQL is gone, starts it again, and is ready', async () => {
    const server = start();
    await ready(server);
    const { data } = await signIn(passwordIn(server.output()));
    const api = makeApiClient(() => adminUrl, data.token);
    const pid = await postgresPid();
    process.kill(pid, 'SIGKILL');
    const readiness = await waitFor('unready', async () => {
      const { status } = await fetch(`${adminUrl}/readyz`);
      return status === 503 && status;
    });
    expect(readiness).toBe(503);
    expect((await fetch(`${adminUrl}/healthz`)).status).toBe(200);
    await waitFor('ready', async () => (await fetch(`${adminUrl}/readyz`)).status === 200, 30);
    expect((await api.call('listAreas', { query: {} })).status).toBe(200);
    expect(server.output()).toContain('started again');
  });

  it('refuses a folder that another server uses, and says why', async () => {
    await ready(start());
    env = { ...env, ADMIN_PORT: '0', USER_PORT: '0' };
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`Another Breakwater server is running on ${dataDir}`);
  });

  it('says which port is taken', async () => {
    await ready(start());
    const other = await mkdtemp(join(tmpdir(), 'breakwater-life-'));
    await chmod(other, 0o755);
    env = { ...env, BREAKWATER_DATA: other };
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/EADDRINUSE.*:\d+/);
    await rm(other, { recursive: true, force: true });
  });
});
