import { testLook } from './screens.ts';

testLook({
  role: 'user',
  language: 'zh',
  width: 360,
  settings: { colorScheme: 'dark', contrast: 'hight' },
  uncutAt: [],
});
