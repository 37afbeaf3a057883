import { adminMenu, customerMenu, screens, screensOf, type ScreenId } from '@breakwater/contract';
import { expect, it } from 'vitest';
import { parents } from './parents.ts';

it('a screen that stands in no menu marks the entry that leads to it', () => {
  const inMenus = new Set([...screensOf(adminMenu), ...screensOf(customerMenu)]);
  const marked = (id: ScreenId) => inMenus.has(parents[id] ?? id);
  // One's own account is reached from the header.
  expect((Object.keys(screens) as ScreenId[]).filter((id) => !marked(id))).toEqual(['ownAccount']);
});
