import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSite, startOrigin, type TestEdge, type TestOrigin } from '../../packages/edge/test/support.ts';
import { jsonDocument, ordinaryRequests, wrkScript } from './ordinary-traffic.ts';
import { sitesOf, compareSites, type SitesCompared } from './two-sites.ts';
import { workerCpuMicros } from './worker-cpu.ts';

const requests = 20_000;
const documentBytes = 100_000;
/** Their values come again, as those of an application do. */
const documents = 20;
const hosts = { without: 'plain.test', with: 'inspected.test' };

export interface SystemRulesCompared {
  traffic: SitesCompared;
  bodies: SitesCompared;
}

/** Two sites that differ in their system rules alone: cached answers to what browsers ask, then JSON that is sent. */
export async function benchSystemRules(
  edge: TestEdge,
  rounds: number,
  seconds: number,
): Promise<SystemRulesCompared> {
  const origin = await startSink();
  try {
    await serve(edge, origin.port);
    const files = [];
    for (const [name, text] of [
      ['ordinary.lua', wrkScript(ordinaryRequests(requests))],
      [
        'json.lua',
        postScript(Array.from({ length: documents }, (_, seed) => jsonDocument(documentBytes, seed))),
      ],
    ] as const) {
      const file = join(edge.dir, name);
      await writeFile(file, text);
      files.push(file);
    }
    const shared = { path: '/', rounds, seconds };
    const traffic = await compareSites(sitesOf(edge, hosts), { ...shared, script: files[0]! });
    const bodies = await compareSites(sitesOf(edge, hosts), { ...shared, script: files[1]! });
    return { traffic, bodies };
  } finally {
    await origin.close();
  }
}

/** An origin that takes whatever it is sent. */
const startSink = (): Promise<TestOrigin> =>
  startOrigin((request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('Content-Type', 'text/html');
      response.end('x'.repeat(1024));
    });
  });

async function serve(edge: TestEdge, port: number): Promise<void> {
  const shared = {
    origins: [{ address: '127.0.0.1', http_port: port }],
    // What is asked for with new words is an answer that is there all the same: detectors are measured, not the origin.
    rules: [{ type: 'all', ttl_seconds: 86_400, query_policy: 'none' }],
  } satisfies Partial<Parameters<typeof makeSite>[0]>;
  const sites = [
    makeSite({ id: 801, domains: [hosts.without], ...shared }),
    makeSite({
      id: 802,
      domains: [hosts.with],
      ...shared,
      systemRules: { mode: 'default' },
    }),
  ];
  for (const result of await edge.applySites(...sites))
    if (result.status !== 'applied') throw new Error(result.error);
}

const postScript = (bodies: string[]): string => `local made, at = {}, 0
function init()
  wrk.headers["Content-Type"] = "application/json"
  for _, body in ipairs({ ${bodies.map((body) => JSON.stringify(body)).join(',\n')} }) do
    made[#made + 1] = wrk.format("POST", "/api/items", nil, body)
  end
end
function request() at = at % #made + 1; return made[at] end
`;

/** What costs detectors most: what begins something over and over, as much of it as is judged. */
const worstBodies: [type: string, piece: string][] = [
  ...["'", "' or 1=", '(select ', '<a ', '%2525', '../', ';cat ', '${', '&#x', '{{', '\\u0027'].map(
    (piece): [string, string] => ['application/x-www-form-urlencoded', piece],
  ),
  ['application/json', '['],
  ['application/json', '"\\u0041",'],
  ['text/xml', '<a b="'],
  ['text/xml', '<!ENTITY'],
];
const worstCount = 10;

/** Milliseconds of the worker for the request that takes most. */
export async function worstRequest(edge: TestEdge): Promise<number> {
  const origin = await startSink();
  let worst = 0;
  try {
    await serve(edge, origin.port);
    for (const [type, piece] of worstBodies) {
      const text = piece.repeat(Math.floor(131_000 / piece.length));
      const body = type.includes('form') ? `q=${text}` : text;
      const before = await workerCpuMicros(edge.edge.pid);
      for (let count = 0; count < worstCount; count++)
        await edge.get(hosts.with, '/', { method: 'POST', headers: { 'content-type': type }, body });
      const spent = ((await workerCpuMicros(edge.edge.pid)) - before) / worstCount / 1000;
      console.log(`${type} of ${piece}: ${spent.toFixed(1)} ms`);
      worst = Math.max(worst, spent);
    }
  } finally {
    await origin.close();
  }
  return worst;
}
