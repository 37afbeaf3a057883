import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveBarePages } from '../../apps/console/bare-server.ts';
import { migrateDatabase, openDatabase } from '../../apps/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded.ts';
import { makeLine, toBytes } from '../../apps/server/src/logs/test-lines.ts';
import { makeNode, makeSite, startWorld, type World } from '../../packages/test-world/src/index.ts';

/**
 * A process of its own: a server with sites, and the bare pages beside it. In the process that drives the browser, both would wait
 * for that. It takes one message, `{ from, milliseconds }`, to log traffic of that time (milliseconds since 1970), and ends with its
 * parent.
 */
export interface ConsoleWorld {
  adminUrl: string;
  /** Of the bare pages. */
  bareUrl: string;
  /** What a signed-in administrator has in storage. */
  stored: Record<string, string>;
}
export interface Traffic {
  from: number;
  milliseconds: number;
}

const sites = 200;
/** A line of the access log for so much time. */
const lineMs = 20_000;

const folder = await mkdtemp(join(tmpdir(), 'breakwater-bench-'));
await chmod(folder, 0o755);
const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), () => {});
const database = openDatabase(postgres.url);
await migrateDatabase(database);
await database.close();
const world = await startWorld({ templateUrl: postgres.url });
for (let n = 0; n < sites; n++) await makeSite(world.admin, { domain: `site${n}.example.com` });
const bare = await serveBarePages(join(folder, 'bare'), world.adminUrl);

process.on(
  'message',
  (traffic: Traffic) => void logTraffic(world, traffic).then(() => process.send?.('logged')),
);
process.on('disconnect', () => void close());
const here: ConsoleWorld = { adminUrl: world.adminUrl, bareUrl: bare.url, stored: await readSession(world) };
process.send?.(here);

async function readSession({ anonymous, adminPassword }: World): Promise<ConsoleWorld['stored']> {
  const body = { username: 'admin', password: adminPassword };
  const { token, jwt_buffer_time } = await anonymous.get('signInAdmin', { body });
  const expires_in = JSON.stringify({ loginTime: Date.now(), expires_in: jwt_buffer_time });
  return { jwt_access_token: token, expires_in, isAdmin: 'true', user_id: '1' };
}

async function logTraffic(of: World, { from, milliseconds }: Traffic): Promise<void> {
  const node = await makeNode(of, { ip: '192.0.2.1' });
  const lines = Array.from({ length: milliseconds / lineMs }, (_, n) =>
    makeLine({ time: new Date(from + n * lineMs).toISOString() }),
  );
  await of.server.services.logStore.ingest({
    nodeId: node.id,
    file: 'bench',
    offset: 0,
    lines: toBytes(lines),
  });
}

async function close(): Promise<void> {
  await bare.close();
  await world.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
}
