import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSite, startOrigin, type TestEdge } from '../../packages/edge/test/support.ts';
import { jsonDocument, ordinaryRequests, wrkScript } from './ordinary-traffic.ts';
import { compareSites, type SitesCompared } from './two-sites.ts';

const requests = 20_000;
const documentBytes = 100_000;
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
  const origin = await startOrigin((request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('Content-Type', 'text/html');
      response.end('x'.repeat(1024));
    });
  });
  try {
    await serve(edge, origin.port);
    const files = [];
    for (const [name, text] of [
      ['ordinary.lua', wrkScript(ordinaryRequests(requests))],
      ['json.lua', postScript(jsonDocument(documentBytes))],
    ] as const) {
      const file = join(edge.dir, name);
      await writeFile(file, text);
      files.push(file);
    }
    const shared = { path: '/', rounds, seconds };
    const traffic = await compareSites(edge, hosts, { ...shared, script: files[0]! });
    return { traffic, bodies: await compareSites(edge, hosts, { ...shared, script: files[1]! }) };
  } finally {
    await origin.close();
  }
}

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
      systemRules: { mode: 'default', body_bytes: 131_072 },
    }),
  ];
  for (const result of await edge.applySites(...sites))
    if (result.status !== 'applied') throw new Error(result.error);
}

const postScript = (body: string): string => `local made
function init()
  wrk.headers["Content-Type"] = "application/json"
  made = wrk.format("POST", "/api/items", nil, ${JSON.stringify(body)})
end
function request() return made end
`;
