import { spawn, spawnSync } from 'node:child_process';
import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startLogEngine, testedEngine } from '@breakwater/test-world/log-engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeLine, toBytes } from './test-lines.ts';

/** An Elasticsearch as an operator guards it: with users, and with a certificate of an authority of their own. */

const user = 'writer';
const password = 'p@ss/word:1';
let folder: string;
let origin: string;
let end = async () => {};

/** What docs/operations.md says that the user needs, and no more. */
const roles = `
breakwater:
  cluster: [manage_index_templates, monitor]
  indices:
    - names: ['breakwater-*']
      privileges: [all]
`;

/** As Elasticsearch keeps passwords in its own file. */
function hashOf(word: string): string {
  const salt = randomBytes(32);
  const hash = pbkdf2Sync(word, salt, 10_000, 32, 'sha512');
  return `{PBKDF2}10000$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const openssl = (...args: string[]) => {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

async function writeConfig(config: string): Promise<void> {
  await mkdir(config);
  await writeFile(join(config, 'roles.yml'), roles);
  await writeFile(join(config, 'users'), `${user}:${hashOf(password)}\n`);
  await writeFile(join(config, 'users_roles'), `breakwater:${user}\n`);
  const at = (name: string) => join(config, name);
  const [ca, caKey, key, request, names] = [
    at('ca.pem'),
    at('ca.key'),
    at('node.key'),
    at('request'),
    at('names'),
  ];
  await writeFile(names, 'subjectAltName=IP:127.0.0.1\n');
  const fresh = ['req', '-newkey', 'rsa:2048', '-nodes'];
  openssl(...fresh, '-x509', '-days', '2', '-subj', '/CN=own authority', '-keyout', caKey, '-out', ca);
  openssl(...fresh, '-subj', '/CN=node', '-keyout', key, '-out', request);
  const signed = ['x509', '-req', '-days', '2', '-CA', ca, '-CAkey', caKey, '-CAcreateserial'];
  openssl(...signed, '-in', request, '-extfile', names, '-out', at('node.pem'));
}

/** Ships a line by a process of its own, since a process reads its authorities once. */
async function ship(word: string, env: Record<string, string>) {
  const logs = await mkdtemp(join(folder, 'breakwater-'));
  const file = join(logs, 'access.log');
  const line = toBytes([makeLine({})]);
  await writeFile(file, line);
  const url = `https://${user}:${encodeURIComponent(word)}@${origin}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'test-ship.ts'), logs, file, '100000'], {
    env: { ...process.env, TEST_LOG_ENGINE_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, trouble] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { isStored: output === `${line.length}\n`, trouble };
}

describe.runIf(testedEngine === 'elasticsearch')('an Elasticsearch with users and a certificate', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'breakwater-log-engine-'));
    await writeConfig(join(folder, 'config'));
    const node = await startLogEngine('elasticsearch', folder, {
      settings: {
        'xpack.security.enabled': 'true',
        'xpack.security.http.ssl.enabled': 'true',
        'xpack.security.http.ssl.key': 'node.key',
        'xpack.security.http.ssl.certificate': 'node.pem',
      },
      // What it says it says to those who know its authority; that it listens is enough here.
      isReady: () => Promise.resolve(true),
    });
    end = () => node.stop();
    origin = new URL(node.url).host;
  });
  afterAll(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });

  const trusted = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'config/ca.pem') });

  test('takes lines of the user that the documentation asks for, over its own authority', async () => {
    expect(await ship(password, trusted())).toEqual({ isStored: true, trouble: '' });
  });

  test('is away for who has a wrong password, which is told without the right words', async () => {
    const { isStored, trouble } = await ship('another-word', trusted());
    expect(isStored).toBe(false);
    expect(trouble).toMatch(/LogStoreDownError: The log store cannot be reached: .*security_exception/);
    expect(trouble).not.toContain('another-word');
  });

  test('is away for who does not know its authority', async () => {
    const { isStored, trouble } = await ship(password, {});
    expect(isStored).toBe(false);
    expect(trouble).toMatch(/LogStoreDownError: The log store cannot be reached: .*certificate/);
  });
});
