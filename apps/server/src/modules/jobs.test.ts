import { scheduleNames } from '@breakwater/contract';
import { expect, it } from 'vitest';
import { jobRegistry } from './jobs.ts';

it('does all work by the clock that the contract names, each once', () => {
  const done = jobRegistry.schedules.map(({ name }) => name);
  expect(done.toSorted()).toEqual([...scheduleNames].toSorted());
});
