import type { ScreenId } from '@breakwater/contract';
import { describe } from 'vitest';
import { testLook } from './screens.ts';

/** Of each kind of screen one: home, charts, a list, a form, a detail with its tabs, rows of a log. */
const forBoth: ScreenId[] = ['home', 'analysis', 'accessLogs', 'sites', 'siteCreate', 'ownAccount'];
const look = { settings: { direction: 'rtl' }, width: 1280, axeAt: [360], uncutAt: [1280, 360] };

describe('for operators', () => {
  testLook({ role: 'admin', language: 'en', only: [...forBoth, 'nodeDetail', 'settings'], ...look });
});
describe('for customers', () => {
  testLook({ role: 'user', language: 'zh', only: [...forBoth, 'siteDetail'], ...look });
});
