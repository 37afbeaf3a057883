import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSite, waitFor, type World } from '../../packages/test-world/src/index.ts';
import { weakPage } from './weak-page.ts';

/**
 * Scanners of Debian's (`sqlmap`, `wapiti`) against a deliberately weak page of ours: what they find of it without detection, which shows
 * that they do find, and with detection as anybody would switch it on. They say that they are browsers, and use sqlmap's own disguises.
 */
export interface Scanned {
  /** Holes that each found. */
  sqlmap: number;
  disguised: number;
  wapiti: number;
}

const secondsMax = 240;
const agent = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0';

export async function scanWeakPage(
  world: World,
  folder: string,
): Promise<{ open: Scanned; guarded: Scanned; siteId: number }> {
  const origin = await world.startOrigin(weakPage());
  const open = await siteOf(world, origin.port, 'off');
  const guarded = await siteOf(world, origin.port, 'default');
  const scan = (domain: string) => scanSite(world, domain, folder);
  return { open: await scan(open.domain), guarded: await scan(guarded.domain), siteId: guarded.id };
}

async function siteOf(world: World, port: number, mode: 'off' | 'default') {
  const site = await makeSite(world.admin, { port });
  const params = { id: site.id };
  const { version } = await world.admin.get('getUsedSystemRule', { params });
  await world.admin.get('updateUsedSystemRule', { params, body: { version, value: { mode } } });
  const wanted = mode === 'off' ? 200 : 403;
  await waitFor(`the weak page with detection ${mode}`, async () => {
    const { status } = await world.fetchEdge(site.domain, '/hello?name=%3Cscript%3Ealert(1)%3C/script%3E');
    return status === wanted;
  });
  return site;
}

async function scanSite(world: World, domain: string, folder: string): Promise<Scanned> {
  const at = `http://127.0.0.1:${world.edgeHttpPort}`;
  const sqlmap = (path: string, ...more: string[]) =>
    holesOfSqlmap(join(folder, `sqlmap-${Math.random()}`), domain, `${at}${path}`, more);
  const disguise = '--tamper=space2comment,randomcase,between';
  return {
    sqlmap: (await sqlmap('/item?id=1')) + (await sqlmap('/search?q=lamp')),
    disguised: (await sqlmap('/item?id=1', disguise)) + (await sqlmap('/search?q=lamp', disguise)),
    wapiti: await holesOfWapiti(join(folder, `wapiti-${Math.random()}`), domain, at),
  };
}

async function holesOfSqlmap(folder: string, domain: string, url: string, more: string[]): Promise<number> {
  const quietly = '--batch --flush-session --disable-coloring --threads=4 --timeout=10 --retries=0';
  const asked = '--level=2 --risk=2 --technique=BEU --dbms=sqlite --ignore-code=403';
  const at = ['--url', url, '--host', domain, '--user-agent', agent, '--output-dir', folder];
  const output = await run('sqlmap', [...at, ...`${quietly} ${asked}`.split(' '), ...more]);
  if (!/all tested parameters|identified the following injection point/.test(output))
    throw new Error(`sqlmap did not end: ${output.slice(-2000)}`);
  return (output.match(/^Parameter: /gm) ?? []).length;
}

async function holesOfWapiti(folder: string, domain: string, at: string): Promise<number> {
  const report = `${folder}.json`;
  const asked = '--module sql,xss,file --max-scan-time 60 --max-attack-time 60';
  const quietly = '--flush-session --no-bugreport --verbose 0 --format json';
  const site = ['--url', `${at}/`, '--header', `Host: ${domain}`, '--user-agent', agent];
  const folders = ['--store-session', folder, '--output', report];
  await run('wapiti', [...site, ...folders, ...`${asked} ${quietly}`.split(' ')]);
  const { vulnerabilities } = JSON.parse(await readFile(report, 'utf8')) as {
    vulnerabilities: Record<string, { path: string; parameter: string }[]>;
  };
  const holes = Object.values(vulnerabilities).flat();
  return new Set(holes.map(({ path, parameter }) => `${path.split('?')[0]} ${parameter}`)).size;
}

/** What a program says until it ends, or until its time is over. */
async function run(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const over = new AbortController();
  const ended = new Promise<void>((settle, refuse) => {
    child.once('error', refuse);
    child.once('close', () => settle());
  });
  void delay(secondsMax * 1000, undefined, { signal: over.signal }).then(
    () => child.kill(),
    () => {},
  );
  await ended;
  over.abort();
  return output;
}
