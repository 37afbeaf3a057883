import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSelfSigned } from '@breakwater/edge/process/default-certificate';
import { findNginx, workerAccount } from '@breakwater/edge/process/nginx-program';
import { freePorts } from '@breakwater/test-world/ports';
import { makeEdgeDir, makeEnvelope, makeSite, type TestEdge } from '../../packages/edge/test/support.ts';
import { runHandshakes, runThroughNames } from './handshakes.ts';
import { median } from './result.ts';
import { workerCpuMicros } from './worker-cpu.ts';

const sitesMax = 10_000;
const plainName = 'static.test';

export interface TlsFigures {
  /** Handshakes in a second of the worker's processor time, ours to plain nginx's. */
  ratio: number;
  /** The same by the clock; the load maker needs more of the machine than nginx does. */
  clockRatio: number;
  edgeCpuMicros: number;
  plainCpuMicros: number;
  edgePerSecond: number;
  plainPerSecond: number;
  /** The first handshake with each certificate, which has to be parsed. */
  firstCpuMicros: number;
}

/**
 * Full TLS handshakes with 10,000 certificates, one for each of as many sites, against plain nginx with one static
 * certificate: P-256 keys, no resumption, one worker each, turn by turn, medians.
 */
export async function benchTls(edge: TestEdge, rounds: number, seconds: number): Promise<TlsFigures> {
  const names = await putCertificates(edge);
  const plain = await startPlainTls();
  const sides = {
    edge: { port: edge.httpsPort, names, pid: edge.edge.pid },
    plain: { port: plain.port, names: [plainName], pid: plain.child.pid! },
  };
  const rates = { edge: [] as number[], plain: [] as number[] };
  const micros = { edge: [] as number[], plain: [] as number[] };
  let begun = 0;
  const run = async (side: 'edge' | 'plain', length: number) => {
    const { port, names: asked, pid } = sides[side];
    const before = await workerCpuMicros(pid);
    const count = await runHandshakes(port, asked, length, begun);
    // So that all of them are asked for in the end.
    begun += count;
    return { rate: count / length, micros: ((await workerCpuMicros(pid)) - before) / count };
  };
  try {
    const first = await warm(edge, names);
    await run('plain', 1);
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 === 0 ? (['edge', 'plain'] as const) : (['plain', 'edge'] as const)) {
        const result = await run(side, seconds);
        rates[side].push(result.rate);
        micros[side].push(result.micros);
      }
    return {
      ratio: median(micros.plain.map((each, round) => each / micros.edge[round]!)),
      clockRatio: median(rates.edge.map((each, round) => each / rates.plain[round]!)),
      edgeCpuMicros: median(micros.edge),
      plainCpuMicros: median(micros.plain),
      edgePerSecond: median(rates.edge),
      plainPerSecond: median(rates.plain),
      firstCpuMicros: first,
    };
  } finally {
    plain.child.kill('SIGTERM');
    await rm(plain.dir, { recursive: true, force: true });
  }
}

async function putCertificates(edge: TestEdge): Promise<string[]> {
  const names: string[] = [];
  for (let start = 0; start < sitesMax; start += 100) {
    const envelopes = [];
    for (let index = start; index < start + 100; index++) {
      const name = `tls${index}.test`;
      const id = 10_000 + index;
      const { certificate, key } = makeSelfSigned(name);
      const pair = { certificate_id: id, domains: [name], certificate, private_key: key };
      envelopes.push(makeEnvelope('certificate', `${id}`, edge.nextRevision(), pair));
      const site = makeSite({
        id,
        domains: [name],
        origins: [{ address: '127.0.0.1' }],
        certificateIds: [id],
      });
      envelopes.push(makeEnvelope('site', `${id}`, edge.nextRevision(), site));
      names.push(name);
    }
    const results = await edge.control<{ status: string; error?: string }[]>('POST', '/documents', envelopes);
    const refused = results.find(({ status }) => status !== 'applied');
    if (refused !== undefined) throw new Error(refused.error);
  }
  return names;
}

/** Goes through all names, so that each certificate was asked for; what the first time costs. */
async function warm(edge: TestEdge, names: string[]): Promise<number> {
  const before = await workerCpuMicros(edge.edge.pid);
  const count = await runThroughNames(edge.httpsPort, names);
  return ((await workerCpuMicros(edge.edge.pid)) - before) / count;
}

async function startPlainTls(): Promise<{ port: number; child: ChildProcess; dir: string }> {
  const dir = await makeEdgeDir();
  const [port] = (await freePorts(1)) as [number];
  const account = workerAccount();
  for (const folder of ['logs', 'tmp']) await mkdir(join(dir, folder));
  const { certificate, key } = makeSelfSigned(plainName);
  await writeFile(join(dir, 'static.crt'), certificate);
  await writeFile(join(dir, 'static.key'), key);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(dir, 'nginx.conf'),
    `${account === undefined ? '' : `user ${account.name};`}
daemon off; worker_processes 1; pid "${dir}/nginx.pid"; error_log "${dir}/logs/error.log" warn;
events { worker_connections 8192; }
http {
  access_log off; ${temporary.map((name) => `${name}_temp_path "${dir}/tmp/${name}";`).join(' ')}
  server {
    listen 127.0.0.1:${port} ssl http2;
    ssl_certificate "${dir}/static.crt"; ssl_certificate_key "${dir}/static.key";
    ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:plain_tls:10m;
    return 204;
  }
}
`,
  );
  const child = spawn(findNginx().program, ['-p', dir, '-e', 'logs/error.log', '-c', 'nginx.conf'], {
    stdio: 'inherit',
  });
  await delay(500);
  return { port, child, dir };
}
