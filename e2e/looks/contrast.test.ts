import { testLook } from './screens.ts';

testLook({
  role: 'admin',
  language: 'en',
  width: 1440,
  settings: { contrast: 'hight', navLayout: 'horizontal', primaryColor: 'orange' },
  uncutAt: [],
});
