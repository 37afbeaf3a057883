import { startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { LiveHub } from './live-hub.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(() => world.close());

it('tells of the seconds that are now when the clock of the server is set back an hour, and on', async () => {
  const { database, db, log } = world.server.services;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const hub = await LiveHub.open({ databaseUrl: database.url, database: db, logger: log, now });
  const ending = new AbortController();
  onTestFinished(() => hub.close());
  onTestFinished(() => ending.abort());
  const times: number[] = [];
  hub.watch({ key: 'all' }, ({ time }) => times.push(time), ending.signal);
  for (const change of [0, -3_600_000, 3_600_000]) {
    const before = times.length;
    ahead += change;
    await waitFor('a second by this clock', () => {
      // Time goes faster here: each second is waited for, since no node tells of it.
      ahead += 200;
      return times.slice(before).some((time) => Math.abs(time - now() / 1000) < 30);
    });
    expect(times.length - before).toBeLessThan(60);
  }
});
