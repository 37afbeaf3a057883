import { expect, it } from 'vitest';
import { eachItem } from './each-item.ts';

it('goes on after an item that fails, and logs its name and nothing else of it', async () => {
  const logged: unknown[][] = [];
  const log = { error: (...told: unknown[]) => void logged.push(told) };
  const done: number[] = [];
  const items = [1, 2, 3].map((id) => ({ id, url: 'https://lists.example.com/?key=secret' }));
  const work = { log, about: 'a try', nameOf: ({ id }: { id: number }) => id, seconds: 60 };
  const count = await eachItem(items, work, async ({ id }) => {
    if (id === 2) throw new Error('no');
    done.push(id);
  });
  expect([count, done]).toEqual([2, [1, 3]]);
  expect(logged).toEqual([[{ err: new Error('no'), item: 2 }, 'a try']]);
});
