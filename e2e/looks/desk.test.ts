import { testLook } from './screens.ts';

testLook({
  role: 'admin',
  language: 'en',
  width: 1440,
  settings: {},
  uncutAt: [360, 768, 1280, 1920],
});
