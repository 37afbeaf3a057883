import { consoleFaultsMax } from '@breakwater/contract';
import { makeCustomer, startWorld, type World } from '@breakwater/test-world';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ConsoleFaults } from './console-faults.ts';

const metricsToken = 'a token for the figures';
const body = {
  name: 'TypeError',
  message: 'x is not a function',
  stack: ['shell-CR5NoO22.js:1:42'],
  path: '/dashboard/site/list',
};
let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), metricsToken });
});
afterAll(() => world?.close());

it('whoever is signed in tells of a failure, and operators see how many there were', async () => {
  const customer = await makeCustomer(world);
  const before = await world.admin.get('getSystemInfo', {});
  expect(before).toMatchObject({ console_faults: 0, console_fault_at: null });
  expect((await world.admin.call('reportConsoleFault', { body })).status).toBe(200);
  expect((await customer.api.call('reportConsoleFault', { body })).status).toBe(200);
  const { console_faults, console_fault_at } = await world.admin.get('getSystemInfo', {});
  expect(console_faults).toBe(2);
  expect(Math.abs(Date.parse(console_fault_at!) - Date.now())).toBeLessThan(60_000);
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${world.adminUrl}/metrics`, { headers })).text();
  expect(text).toMatch(/^breakwater_console_faults_total 2$/m);
});

it('nobody else does, and nothing longer than a failure', async () => {
  const { count } = world.server.services.consoleFaults;
  for (const api of [world.anonymous, world.anonymousUser])
    expect((await api.call('reportConsoleFault', { body })).status).toBe(401);
  const long = { ...body, message: 'x'.repeat(201) };
  expect(await world.admin.call('reportConsoleFault', { body: long })).toMatchObject({
    status: 400,
    errors: [{ path: 'message' }],
  });
  expect(world.server.services.consoleFaults.count).toBe(count);
});

it('who tells of many fills no log, and keeps nobody else from it', () => {
  const lines: string[] = [];
  const faults = new ConsoleFaults(pino({}, { write: (line: string) => void lines.push(line) }));
  for (let n = 0; n < consoleFaultsMax * 3; n++) faults.add('client:1', body);
  expect(lines).toHaveLength(consoleFaultsMax);
  faults.add('client:2', { ...body, message: 'a line\nof its own' });
  expect(lines).toHaveLength(consoleFaultsMax + 1);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    account: 'client:2',
    msg: 'console fault',
    fault: { message: 'a line\nof its own' },
  });
  expect(faults.count).toBe(consoleFaultsMax * 3 + 1);
});
