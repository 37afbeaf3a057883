import { testLook } from './screens.ts';

testLook({
  role: 'admin',
  language: 'zh',
  width: 1440,
  settings: { colorScheme: 'dark', navColor: 'apparent' },
  uncutAt: [360, 768, 1280, 1920],
});
