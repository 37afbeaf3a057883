/**
 * Cached hits per second: our edge, with 20 cache rules that do not match before one that does, against plain nginx
 * with `proxy_cache`, the same log fields and keepalive. One worker each, turn by turn, medians. Our edge keeps cache
 * files open between hits (`open_file_cache`), which nginx does not by itself: the ratios named `tuned` are against a
 * plain nginx that was given that too, and so show what our own logic costs.
 *
 * Names of parts as arguments (`one`, `browser`, `rules`, `list`, `paths`, `miss`, `burst`, `collapsed`, `tls`, `https`, `large`, `ja4`,
 * `neighbour`, `again`) leave out the others.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findNginx, workerAccount } from '../packages/edge/process/nginx-program.ts';
import { freePorts } from '@breakwater/test-world/ports';
import { makeEdgeDir, makeSite, startOrigin, TestEdge } from '../packages/edge/test/support.ts';
import { benchAddressList } from './lib/address-list-bench.ts';
import { benchBurst, benchCollapsed, neverAskedScript } from './lib/cold.ts';
import { benchHttpsOrigin } from './lib/https-origin.ts';
import { benchJa4 } from './lib/ja4-bench.ts';
import { benchLargeFile, startLargeOrigin, type LargeFileResult } from './lib/large-file.ts';
import { hundredRules } from './lib/hundred-rules.ts';
import { benchNeighbour } from './lib/neighbour.ts';
import { median, printResult } from './lib/result.ts';
import { benchRevalidation } from './lib/revalidation.ts';
import { benchTls } from './lib/tls-bench.ts';
import { workerCpuMicros } from './lib/worker-cpu.ts';
import { runWrk } from './lib/wrk.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = 32;
const chosen = process.argv.slice(2);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);
const host = 'bench.test';
/** A site with a hundred rules of all kinds. */
const ruledHost = 'ruled.test';
const manyPaths = 5000;
/** What browsers send: the edge reduces it, and it is part of a variant's key where an answer varies by it. */
const browserHeaders = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };

const rules = [
  ...Array.from({ length: 5 }, (_, index) => ({
    type: 'suffix' as const,
    content: [`s${index}`, `t${index}`],
  })),
  ...Array.from({ length: 5 }, (_, index) => ({ type: 'folder' as const, content: [`/folder-${index}/`] })),
  ...Array.from({ length: 5 }, (_, index) => ({
    type: 'full_path' as const,
    content: [`/page-${index}.html`],
  })),
  ...Array.from({ length: 5 }, (_, index) => ({
    type: 'regex' as const,
    content: [`^/api/v${index}/.*\\.json$`],
  })),
  { type: 'all' as const, ttl_seconds: 86_400 },
];

async function startPlain(
  dir: string,
  originPort: number,
  openFiles: string,
): Promise<{ port: number; child: ChildProcess }> {
  const [port] = await freePorts(1);
  const account = workerAccount();
  for (const folder of ['cache', 'logs', 'tmp']) await mkdir(join(dir, folder));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(dir, 'nginx.conf'),
    `${account === undefined ? '' : `user ${account.name};`}
daemon off; worker_processes 1; pid "${dir}/nginx.pid"; error_log "${dir}/logs/error.log" warn;
events { worker_connections 8192; }
http {
  server_tokens off; default_type application/octet-stream; tcp_nodelay on; keepalive_timeout 65s; ${openFiles}
  ${temporary.map((name) => `${name}_temp_path "${dir}/tmp/${name}";`).join(' ')}
  proxy_cache_path "${dir}/cache" levels=1:2 keys_zone=plain:64m max_size=20g inactive=30d use_temp_path=off;
  log_format plain escape=json '{"time":"$time_iso8601","request_id":"$request_id","site_id":1,"client_id":2,"order_id":3,'
    '"host":"$host","remote_addr":"$remote_addr","raw_remote_addr":"$remote_addr","remote_port":$remote_port,"method":"$request_method","scheme":"$scheme",'
    '"protocol":"$server_protocol","request_uri":"$request_uri","status":$status,"request_length":$request_length,'
    '"bytes_sent":$bytes_sent,"body_bytes_sent":$body_bytes_sent,"request_time":$request_time,'
    '"cache_status":"$upstream_cache_status","origin_addr":"$upstream_addr","origin_status":"$upstream_status",'
    '"origin_time":"$upstream_response_time","origin_bytes":"$upstream_response_length","referer":"$http_referer",'
    '"user_agent":"$http_user_agent","content_type":"$sent_http_content_type","tls_version":"$ssl_protocol","decision":""}';
  access_log "${dir}/logs/access.log" plain;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${originPort};
      proxy_set_header Host $host;
      proxy_cache plain; proxy_cache_key $scheme://$host$request_uri; proxy_cache_lock on; proxy_cache_valid 200 1d;
      add_header X-Cache $upstream_cache_status always; add_header X-Request-Id $request_id always;
    }
  }
}
`,
  );
  const child = spawn(findNginx().program, ['-p', dir, '-e', 'logs/error.log', '-c', 'nginx.conf'], {
    stdio: 'inherit',
  });
  await delay(500);
  return { port: port!, child };
}

const sides = ['plain', 'edge', 'tuned'] as const;
type Side = (typeof sides)[number];
interface Target {
  url: string;
  masterPid: number;
}
interface Comparison {
  /** The edge's rate to that of the plain and of the tuned nginx. */
  toTuned: number;
  toPlain: number;
  /** Their processor time for one answer to the edge's. */
  toTunedCpu: number;
  toPlainCpu: number;
  perSecond: Record<Side, number>;
  /** Processor time of the worker for one answer, which other load on the machine hardly changes. */
  cpuMicros: Record<Side, number>;
}

async function compare(
  name: string,
  path: string,
  targets: Record<Side, Target>,
  script?: string,
  headers: Record<string, string> = {},
): Promise<Comparison> {
  const rates: Record<Side, number[]> = { edge: [], plain: [], tuned: [] };
  const micros: Record<Side, number[]> = { edge: [], plain: [], tuned: [] };
  const run = async (side: Side, length: number) => {
    const { url, masterPid } = targets[side];
    const before = await workerCpuMicros(masterPid);
    const shared = { url: url + path, headers: { Host: host, ...headers }, connections, seconds: length };
    const result = await runWrk(script === undefined ? shared : { ...shared, script });
    return {
      rate: result.perSecond,
      micros: ((await workerCpuMicros(masterPid)) - before) / result.requests,
    };
  };
  for (const side of sides) await run(side, 2);
  for (let round = 0; round < rounds; round++)
    // Who goes first changes, so that neither always runs on the warmer machine.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const result = await run(side, seconds);
      rates[side].push(result.rate);
      micros[side].push(result.micros);
    }
  const comparison = {
    toTuned: median(rates.edge.map((rate, round) => rate / rates.tuned[round]!)),
    toPlain: median(rates.edge.map((rate, round) => rate / rates.plain[round]!)),
    toTunedCpu: median(micros.edge.map((each, round) => micros.tuned[round]! / each)),
    toPlainCpu: median(micros.edge.map((each, round) => micros.plain[round]! / each)),
    perSecond: { edge: median(rates.edge), plain: median(rates.plain), tuned: median(rates.tuned) },
    cpuMicros: { edge: median(micros.edge), plain: median(micros.plain), tuned: median(micros.tuned) },
  };
  const show = (side: Side) =>
    `${side} ${comparison.perSecond[side].toFixed(0)}/s at ${comparison.cpuMicros[side].toFixed(1)} µs`;
  console.log(
    `${name}: ${sides.map(show).join(', ')}, to plain ${comparison.toPlain.toFixed(3)}, to tuned ${comparison.toTuned.toFixed(3)}; ` +
      `by processor time ${comparison.toPlainCpu.toFixed(3)} and ${comparison.toTunedCpu.toFixed(3)}`,
  );
  return comparison;
}

/** A gigabyte each time. */
async function compareLargeFile(): Promise<LargeFileResult> {
  const dir = await makeEdgeDir();
  const source = await startLargeOrigin();
  const large = await startPlain(dir, source.port, '');
  try {
    const result = await benchLargeFile(edge, source.port, large.port, Math.min(rounds, 5));
    console.log(
      `a gigabyte, to plain: cold ${result.cold.toFixed(3)}, warm ${result.warm.toFixed(3)}, in parts cold ${result.partsCold.toFixed(3)}, warm ${result.partsWarm.toFixed(3)}`,
    );
    return result;
  } finally {
    large.child.kill('SIGTERM');
    source.close();
    await rm(dir, { recursive: true, force: true });
  }
}

const body = 'x'.repeat(1024);
const origin = await startOrigin((_request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(body);
});
const edge = await TestEdge.start({ documentsSizeMax: '256m' });
const plainDir = await makeEdgeDir();
const plain = await startPlain(plainDir, origin.port, '');
const tunedDir = await makeEdgeDir();
const tuned = await startPlain(tunedDir, origin.port, 'open_file_cache max=20000 inactive=60s;');
try {
  const site = makeSite({
    id: 1,
    domains: [host],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    rules,
  });
  const ruled = makeSite({
    id: 2,
    domains: [ruledHost],
    origins: [{ address: '127.0.0.1', http_port: origin.port }],
    ...hundredRules,
  });
  for (const result of await edge.applySites(site, ruled))
    if (result.status !== 'applied') throw new Error(result.error);
  const path = '/some/where/index.html?lang=en';
  for (const each of [host, ruledHost]) {
    for (let index = 0; index < 3; index++) await edge.get(each, path);
    const last = await edge.get(each, path);
    if (last.headers['x-cache'] !== 'HIT')
      throw new Error(`The edge does not answer from its cache: ${String(last.headers['x-cache'])}`);
  }
  const targets = {
    edge: { url: `http://127.0.0.1:${edge.httpPort}`, masterPid: edge.edge.pid },
    plain: { url: `http://127.0.0.1:${plain.port}`, masterPid: plain.child.pid! },
    tuned: { url: `http://127.0.0.1:${tuned.port}`, masterPid: tuned.child.pid! },
  };
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = {};
  if (wants('one')) {
    const one = await compare('one path', path, targets);
    ratios['cached_hit'] = one.toPlain;
    ratios['cached_hit_tuned'] = one.toTuned;
    ratios['cached_hit_tuned_cpu'] = one.toTunedCpu;
    for (const side of sides) {
      figures[`${side}_per_second`] = one.perSecond[side];
      figures[`${side}_cpu_us`] = one.cpuMicros[side];
    }
  }
  if (wants('browser')) {
    const browser = await compare('one path, as a browser asks', path, targets, undefined, browserHeaders);
    ratios['cached_hit_browser'] = browser.toPlain;
    ratios['cached_hit_browser_tuned'] = browser.toTuned;
  }
  if (wants('rules')) {
    const hundred = await compare('100 rules over all sections', path, targets, undefined, {
      Host: ruledHost,
    });
    ratios['rules_100'] = hundred.toPlain;
    ratios['rules_100_tuned'] = hundred.toTuned;
    ratios['rules_100_cpu'] = hundred.toPlainCpu;
    figures['rules_100_edge_cpu_us'] = hundred.cpuMicros.edge;
    figures['rules_100_plain_cpu_us'] = hundred.cpuMicros.plain;
  }
  if (wants('list')) {
    const origins = [{ address: '127.0.0.1', http_port: origin.port }];
    const listed = await benchAddressList(edge, { origins, rules }, rounds, seconds);
    console.log(
      `a list of 100,000 networks: with it ${listed.cpuMicros.with.toFixed(1)} µs, without ${listed.cpuMicros.without.toFixed(1)} µs, ratio ${listed.cpuRatio.toFixed(3)}`,
    );
    ratios['address_list_100000'] = listed.cpuRatio;
    figures['address_list_cpu_us'] = listed.cpuMicros.with;
    figures['address_list_without_cpu_us'] = listed.cpuMicros.without;
  }
  if (wants('paths')) {
    const script = join(plainDir, 'many.lua');
    await writeFile(
      script,
      `local n = 0\nrequest = function() n = (n * 21 + 7) % ${manyPaths}; return wrk.format(nil, "/some/where/" .. n .. ".html") end\n`,
    );
    const many = await compare(`${manyPaths} paths`, '', targets, script);
    ratios['cached_hit_many_paths'] = many.toPlain;
    ratios['cached_hit_many_paths_tuned'] = many.toTuned;
    figures['edge_many_per_second'] = many.perSecond.edge;
    figures['plain_many_per_second'] = many.perSecond.plain;
  }
  if (wants('miss')) {
    const script = join(plainDir, 'never-asked.lua');
    await writeFile(script, neverAskedScript);
    const miss = await compare('what is asked for the first time', '', targets, script);
    ratios['miss'] = miss.toPlainCpu;
    ratios['miss_rate'] = miss.toPlain;
    figures['miss_edge_cpu_us'] = miss.cpuMicros.edge;
    figures['miss_plain_cpu_us'] = miss.cpuMicros.plain;
  }
  if (wants('burst')) {
    figures['burst_failures'] = await benchBurst();
    console.log(`5,000 cold requests at once: ${figures['burst_failures']} failed`);
  }
  if (wants('collapsed')) {
    figures['collapsed'] = await benchCollapsed();
    console.log(`1,000 visitors of one slow object: its origin was asked ${figures['collapsed']} times`);
  }
  if (wants('tls')) {
    const tls = await benchTls(edge, rounds, seconds);
    console.log(
      `TLS, full handshakes: edge with 10,000 certificates at ${tls.edgeCpuMicros.toFixed(0)} µs (${tls.edgePerSecond.toFixed(0)}/s), ` +
        `plain with one at ${tls.plainCpuMicros.toFixed(0)} µs (${tls.plainPerSecond.toFixed(0)}/s), ratio ${tls.ratio.toFixed(3)}`,
    );
    ratios['tls_10000_certs'] = tls.ratio;
    figures['tls_clock_ratio'] = tls.clockRatio;
    figures['tls_edge_cpu_us'] = tls.edgeCpuMicros;
    figures['tls_plain_cpu_us'] = tls.plainCpuMicros;
    figures['tls_first_cpu_us'] = tls.firstCpuMicros;
  }
  if (wants('ja4')) {
    const ja4 = await benchJa4(rounds, seconds);
    console.log(
      `TLS, full handshakes: ${ja4.withCpuMicros.toFixed(0)} µs where JA4 is worked out, ` +
        `${ja4.withoutCpuMicros.toFixed(0)} µs where it is not, ratio ${ja4.ratio.toFixed(3)}`,
    );
    ratios['tls_ja4'] = ja4.ratio;
    figures['tls_ja4_cpu_us'] = ja4.withCpuMicros;
    figures['tls_no_ja4_cpu_us'] = ja4.withoutCpuMicros;
  }
  if (wants('https')) {
    const { ratio, http, https } = await benchHttpsOrigin(edge, plainDir, rounds, seconds);
    console.log(
      `origin over HTTPS ${https.toFixed(0)}/s, over HTTP ${http.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
    );
    ratios['https_origin'] = ratio;
    figures['https_origin_per_second'] = https;
    figures['http_origin_per_second'] = http;
  }
  if (wants('neighbour')) {
    const { before, during } = await benchNeighbour();
    console.log(
      `p99 while a neighbour's origin hangs: ${during.toFixed(1)} ms, before ${before.toFixed(1)} ms`,
    );
    ratios['neighbour_p99'] = during / before;
    figures['neighbour_p99_ms'] = during;
  }
  if (wants('again')) {
    const { fetched, revalidated } = await benchRevalidation();
    console.log(`a megabyte: ${fetched} bytes from the origin, ${revalidated} when it is still good`);
    ratios['revalidate_bytes'] = revalidated / fetched;
  }
  if (wants('large')) {
    const large = await compareLargeFile();
    ratios['large_file_cold'] = large.cold;
    ratios['large_file_warm'] = large.warm;
    ratios['large_file_parts_cold'] = large.partsCold;
    ratios['large_file_parts_warm'] = large.partsWarm;
    figures['large_file_plain_cold_mb'] = large.plainCold / 2 ** 20;
    figures['large_file_plain_warm_mb'] = large.plainWarm / 2 ** 20;
  }
  printResult('edge', ratios, figures);
} finally {
  plain.child.kill('SIGTERM');
  tuned.child.kill('SIGTERM');
  await edge.close();
  await origin.close();
  for (const dir of [plainDir, tunedDir]) await rm(dir, { recursive: true, force: true });
}
