import type { ScreenId } from '@breakwater/contract';
import { describe } from 'vitest';
import { testLook } from './screens.ts';

/** Every tab of what has many, on a desk and on a phone. */
const details: ScreenId[] = ['siteDetail', 'nodeDetail', 'clientDetail', 'orderDetail', 'lineGroupDetail'];
const widths = { width: 1280, axeAt: [360], uncutAt: [1280, 360], only: details };

describe('of operators', () => {
  testLook({ role: 'admin', language: 'zh', settings: {}, ...widths });
});
describe('of customers', () => {
  testLook({ role: 'user', language: 'en', settings: {}, ...widths });
});
