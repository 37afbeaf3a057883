import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browser, GuardWorld, type Guard } from './guard-support.ts';
import { makeSite, startOrigin } from './support.ts';

/** How CC guard escalates by itself, and back, on a real nginx. */

let world: GuardWorld;
beforeAll(async () => {
  world = await GuardWorld.start();
});
afterAll(() => world.close());

interface Step {
  site_id: number;
  path: string;
  level: number;
  from: number;
  reason: string;
}
async function steps(host: string): Promise<Step[]> {
  const asked = { instance_id: '', told: 0, max: 500 };
  const { steps: lines } = await world.edge.control<{ steps: string }>('POST', '/guard/steps', asked);
  const id = world.clientOf(host) - 1000;
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step)
    .filter(({ site_id }) => site_id === id);
}
const stepsSaid = async (host: string) =>
  (await steps(host)).map(({ path, from, level, reason }) => `${path} ${from}>${level} ${reason}`);

/** Of visitors each of whom asks little. */
const flood = (host: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      world.edge.get(host, `/${index}?${Math.random()}`, { from: `127.1.0.${index + 1}` }),
    ),
  );

/** Attacks in short: what would take minutes takes seconds. */
const quick: Guard = {
  mode: 'normal',
  escalation_requests: 40,
  escalation_url_requests: 10,
  quiet_seconds: 5,
};

it('has the attacked URL ask for a challenge by itself, the others not, and steps down when it is quiet', async () => {
  const host = await world.site({ guard: quick });
  const neighbour = await world.site({ guard: quick });
  await Promise.all(Array.from({ length: 60 }, () => world.edge.get(host, '/login')));
  const [page] = await world.ask(host, 1, '/login', { headers: browser });
  expect(page!.status).toBe(403);
  expect(await world.lineOf(page!)).toMatchObject({
    decision: 'cc_guardian_rule url requests',
    waf: 'browser_verify_rule=challenge; cc_guardian_rule url requests=challenge',
  });
  expect(await world.statuses(host, 2, '/other', { headers: browser })).toEqual([200, 200]);
  expect(await world.statuses(neighbour, 1, '/login', { headers: browser })).toEqual([200]);
  expect(await stepsSaid(host)).toEqual(['/login 0>1 requests']);
  await expect
    .poll(() => stepsSaid(host), { timeout: 20_000 })
    .toEqual(['/login 0>1 requests', '/login 1>0 quiet']);
  expect(await world.statuses(host, 1, '/login', { headers: browser })).toEqual([200]);
});

it('has the whole site ask where the flood is spread, harder where it goes on, and ends with the mode', async () => {
  const host = await world.site({ guard: { ...quick, quiet_seconds: 3600 } });
  await expect
    .poll(async () => {
      await flood(host, 100);
      return stepsSaid(host);
    })
    .toEqual([' 0>1 requests']);
  const [page] = await world.ask(host, 1, '/new', { headers: browser });
  expect(await world.lineOf(page!)).toMatchObject({ decision: 'cc_guardian_rule site requests' });
  // No longer in a mode that escalates: it ends, and is said to have.
  await world.edge.applySites(
    makeSite({
      id: world.clientOf(host) - 1000,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
      guard: { ...quick, mode: 'watch' },
    }),
  );
  await expect.poll(() => stepsSaid(host)).toEqual([' 0>1 requests', ' 1>0 off']);
  expect(await world.statuses(host, 1, '/new', { headers: browser })).toEqual([200]);
});

it('escalates by errors of the origin and by how long it takes', async () => {
  const broken = createServer((socket) => socket.destroy());
  await new Promise<void>((settle) => broken.listen(0, '127.0.0.1', settle));
  const slow = await startOrigin((_request, response) => {
    setTimeout(() => response.end('x'), 150);
  });
  const calm: Guard = { mode: 'normal', quiet_seconds: 3600 };
  const failing = await world.site({
    origins: [{ address: '127.0.0.1', http_port: (broken.address() as { port: number }).port }],
    guard: calm,
  });
  const late = await world.site({
    origins: [{ address: '127.0.0.1', http_port: slow.port }],
    guard: { ...calm, escalation_slow_ms: 100 },
  });
  const busy = await world.site({
    origins: [{ address: '127.0.0.1', http_port: slow.port }],
    guard: { ...calm, escalation_origin_requests: 5 },
  });
  for (const [host, reason, count] of [
    [failing, 'errors', 30],
    [late, 'slow', 30],
    [busy, 'origin_requests', 120],
  ] as const)
    await expect
      .poll(
        async () => {
          await flood(host, count);
          return (await stepsSaid(host))[0];
        },
        { timeout: 15_000 },
      )
      .toBe(` 0>1 ${reason}`);
  await slow.close();
  await new Promise((settle) => broken.close(settle));
});

it('does not take for a failure of a level what was under way before it', async () => {
  const hanging = await startOrigin((request, response) => {
    setTimeout(() => response.end('x'), request.url!.startsWith('/long') ? 7000 : 1000);
  });
  const host = await world.site({
    origins: [{ address: '127.0.0.1', http_port: hanging.port }],
    guard: { mode: 'normal', escalation_origin_requests: 5, quiet_seconds: 10 },
  });
  const long = Promise.all(Array.from({ length: 40 }, (_, index) => world.edge.get(host, `/long/${index}`)));
  await expect
    .poll(
      async () => {
        await flood(host, 40);
        return stepsSaid(host);
      },
      { timeout: 6000 },
    )
    .toEqual([' 0>1 origin_requests']);
  expect((await long).map(({ status }) => status)).toEqual(Array(40).fill(200));
  await expect
    .poll(() => stepsSaid(host), { timeout: 20_000 })
    .toEqual([' 0>1 origin_requests', ' 1>0 quiet']);
  await hanging.close();
});
