import { backendHealthCheck } from '@breakwater/contract/site-config/backend-health-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

/** What the agent says of origins, and what visitors get then. */

let edge: TestEdge;
let one: TestOrigin;
let two: TestOrigin;
let nextSite = 1;

beforeAll(async () => {
  edge = await TestEdge.start();
  one = await startOrigin((_request, response) => response.end('one'));
  two = await startOrigin((_request, response) => response.end('two'));
});
afterAll(async () => {
  await edge.close();
  await one.close();
  await two.close();
});

const local = { address: '127.0.0.1', https_port: 1 };

/** A site with `one`, and `two` as its backup. */
async function site(isChecked = true): Promise<{ host: string; place: (origin: TestOrigin) => string }> {
  const id = nextSite++;
  const document = makeSite({
    id,
    domains: [`site${id}.test`],
    origins: [
      { ...local, http_port: one.port },
      { ...local, http_port: two.port, state: 'backup' },
    ],
    rules: [{ type: 'all', action: 'bypass' }],
  });
  if (isChecked) document.backend_health_check = backendHealthCheck.parse({ enabled: true });
  const [result] = await edge.applySites(document);
  expect(result!.error).toBeUndefined();
  return { host: `site${id}.test`, place: (origin) => `${id} 127.0.0.1 ${origin.port} 1` };
}

const tell = (verdicts: { whole?: boolean; out?: Record<string, number>; in?: string[] }) =>
  edge.control('PUT', '/health', { whole: false, out: {}, in: [], ...verdicts });
const answer = async (host: string) => (await edge.get(host)).body;

describe("the agent's verdicts", () => {
  it('leave an origin out until the agent says otherwise, of its site only', async () => {
    const { host, place } = await site();
    const other = await site();
    expect(await answer(host)).toBe('one');
    await tell({ out: { [place(one)]: 60 } });
    expect([await answer(host), await answer(host)]).toEqual(['two', 'two']);
    expect(await answer(other.host)).toBe('one');
    await tell({ in: [place(one)] });
    expect(await answer(host)).toBe('one');
  });

  it('end by themselves when the agent says no more', async () => {
    const { host, place } = await site();
    await tell({ out: { [place(one)]: 3 } });
    expect(await answer(host)).toBe('two');
    await expect.poll(() => answer(host), { timeout: 20_000 }).toBe('one');
  });

  it('never leave a site without an origin: when all are out, all are asked', async () => {
    const { host, place } = await site();
    await tell({ out: { [place(one)]: 60, [place(two)]: 60 } });
    expect(await answer(host)).toBe('one');
    // An answer shows no more than that one request went well.
    await tell({ in: [place(two)] });
    expect(await answer(host)).toBe('two');
  });

  it('are replaced as a whole when the agent starts', async () => {
    const [before, after] = [await site(), await site()];
    await tell({ out: { [before.place(one)]: 60 } });
    await tell({ whole: true, out: { [after.place(one)]: 60 } });
    expect([await answer(before.host), await answer(after.host)]).toEqual(['one', 'two']);
  });

  it('do not touch a site that has no checks', async () => {
    const { host, place } = await site(false);
    await tell({ out: { [place(one)]: 60 } });
    expect(await answer(host)).toBe('one');
  });

  it('stand beside what requests show: failures take an origin out that the agent holds for well', async () => {
    const { host, place } = await site();
    await tell({ in: [place(one)] });
    await one.close();
    const failing = await Promise.all([answer(host), answer(host), answer(host)]);
    expect(failing).toEqual(['two', 'two', 'two']);
    const { origins } = await edge.control<{ origins: { down_until: number }[] }>('GET', '/state');
    expect(origins.some(({ down_until }) => down_until > Date.now() / 1000)).toBe(true);
  });
});
