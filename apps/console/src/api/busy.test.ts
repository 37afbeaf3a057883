import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { asBusy, onBusy, patienceMs } from './busy.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('what is quick shows nothing; what is not, from 0.4 seconds to its end, also when it fails', async () => {
  const heard: boolean[] = [];
  const stop = onBusy((busy) => heard.push(busy));
  await asBusy(Promise.resolve('at once'));
  await vi.advanceTimersByTimeAsync(2 * patienceMs);
  expect(heard).toEqual([]);

  const end: (() => void)[] = [];
  const first = asBusy(new Promise<void>((resolve) => end.push(resolve)));
  const second = asBusy(new Promise<void>((_, reject) => end.push(() => reject(new Error('no')))));
  await vi.advanceTimersByTimeAsync(patienceMs - 1);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual([true]);
  end[0]!();
  await first;
  expect(heard).toEqual([true]);
  end[1]!();
  await expect(second).rejects.toThrow('no');
  expect(heard).toEqual([true, false]);
  stop();
});
