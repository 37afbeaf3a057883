import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@breakwater/test-world/ports';
import { makeSelfSigned } from '../../packages/edge/process/default-certificate.ts';
import { findNginx } from '../../packages/edge/process/nginx-program.ts';
import { makeSite, type TestEdge } from '../../packages/edge/test/support.ts';
import { median } from './result.ts';
import { runWrk } from './wrk.ts';

/** An nginx that answers the same over HTTP and over HTTPS. */
async function startOrigins(dir: string): Promise<{ http: number; https: number; child: ChildProcess }> {
  const [http, https] = (await freePorts(2)) as [number, number];
  const { certificate, key } = makeSelfSigned('origin.test');
  await mkdir(join(dir, 'origin/logs'), { recursive: true });
  await writeFile(join(dir, 'origin/pair.pem'), certificate + key);
  const pair = join(dir, 'origin/pair.pem');
  await writeFile(
    join(dir, 'origin/nginx.conf'),
    `daemon off; worker_processes 1; pid "${dir}/origin/nginx.pid"; error_log "${dir}/origin/logs/error.log" warn;
events { worker_connections 8192; }
http {
  access_log off; keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${http}; listen 127.0.0.1:${https} ssl;
    ssl_certificate "${pair}"; ssl_certificate_key "${pair}";
    location / { default_type text/html; return 200 "${'x'.repeat(1024)}"; }
  }
}
`,
  );
  const child = spawn(
    findNginx().program,
    ['-p', join(dir, 'origin'), '-e', 'logs/error.log', '-c', 'nginx.conf'],
    { stdio: 'inherit' },
  );
  await delay(500);
  return { http, https, child };
}

/** Requests a second that all go to an origin over HTTPS, to the same over HTTP; connections are kept in both. */
export async function benchHttpsOrigin(
  edge: TestEdge,
  dir: string,
  rounds: number,
  seconds: number,
): Promise<{ ratio: number; http: number; https: number }> {
  const ports = await startOrigins(dir);
  try {
    const rates: Record<'http' | 'https', number[]> = { http: [], https: [] };
    const protocols = ['http', 'https'] as const;
    const sites = protocols.map((protocol, index) =>
      makeSite({
        id: 900 + index,
        domains: [`${protocol}-origin.test`],
        origins: [{ address: '127.0.0.1', http_port: ports.http, https_port: ports.https }],
        config: { protocol },
        rules: [{ type: 'all', action: 'bypass' }],
      }),
    );
    for (const { status, error } of await edge.applySites(...sites))
      if (status !== 'applied') throw new Error(error);
    const run = (protocol: 'http' | 'https', length: number) =>
      runWrk({
        url: `http://127.0.0.1:${edge.httpPort}/page`,
        headers: { Host: `${protocol}-origin.test` },
        connections: 16,
        seconds: length,
      });
    for (const protocol of protocols) await run(protocol, 1);
    for (let round = 0; round < rounds; round++)
      for (const protocol of round % 2 === 0 ? protocols : protocols.toReversed())
        rates[protocol].push((await run(protocol, seconds)).perSecond);
    return {
      ratio: median(rates.https.map((rate, round) => rate / rates.http[round]!)),
      http: median(rates.http),
      https: median(rates.https),
    };
  } finally {
    ports.child.kill('SIGTERM');
  }
}
