import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Debian's names of what an edge node needs. */
export const edgePackages = ['nginx', 'libnginx-mod-http-lua'];

export interface NginxProgram {
  program: string;
  modulesDir: string;
  /** Without it visitors get gzip where a site compresses. */
  hasBrotli: boolean;
  /** Whether it was built with HTTP/3. */
  http3: boolean;
}

/** Where nginx and its Lua module are; a clear error when either is missing. */
export function findNginx(): NginxProgram {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin'];
  const program = folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path));
  const modulesDir = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules', '/usr/lib64/nginx/modules'].find(
    (folder) => existsSync(join(folder, 'ngx_http_lua_module.so')),
  );
  if (program === undefined || modulesDir === undefined) {
    const missing = program === undefined ? 'nginx' : "nginx's Lua module";
    throw new Error(`${missing} is not installed. On Debian: apt-get install ${edgePackages.join(' ')}`);
  }
  return {
    program,
    modulesDir,
    hasBrotli: existsSync(join(modulesDir, 'ngx_http_brotli_filter_module.so')),
    http3: hasHttp3(program),
  };
}

/** `nginx -V` writes how it was built. */
function hasHttp3(program: string): boolean {
  return spawnSync(program, ['-V'], { encoding: 'utf8' }).stderr.includes('--with-http_v3_module');
}

export function runNginx(
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, refuse) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', refuse);
    child.once('close', (code) => settle({ code, output }));
  });
}

export interface WorkerAccount {
  name: string;
  gid: number;
}

/** The most files a process may open here, up to what nginx has use for (Linux). */
export async function openFilesMax(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const hard = Number(/Max open files\s+\S+\s+(\d+)/.exec(limits)?.[1] ?? 1024);
  return Math.min(hard, 65_536);
}

/** The account for nginx's workers where the master is root: Debian's `www-data`, else `nobody`. */
export function workerAccount(): WorkerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['www-data', 'nobody']) {
    const found = spawnSync('id', ['-g', name], { encoding: 'utf8' });
    if (found.status === 0) return { name, gid: Number(found.stdout) };
  }
  throw new Error('There is no account www-data or nobody for the workers of nginx.');
}
