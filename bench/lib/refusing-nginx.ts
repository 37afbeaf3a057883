import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findNginx } from '@breakwater/edge/process/nginx-program';
import { freePorts } from '@breakwater/test-world/ports';

/** An nginx that answers 403 to everybody and does nothing else. */
export async function startRefusingNginx(dir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const [port] = (await freePorts(1)) as [number];
  await mkdir(join(dir, 'logs'), { recursive: true });
  await writeFile(
    join(dir, 'nginx.conf'),
    `daemon off; worker_processes 1; pid "${dir}/nginx.pid"; error_log "${dir}/logs/error.log" warn;
events { worker_connections 8192; }
http { access_log off; server { listen 127.0.0.1:${port}; return 403; } }
`,
  );
  const child = spawn(findNginx().program, ['-p', dir, '-e', 'logs/error.log', '-c', 'nginx.conf'], {
    stdio: 'inherit',
  });
  const ended = new Promise<void>((settle) => void child.once('close', () => settle()));
  await delay(500);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
