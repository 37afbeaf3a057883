import { testLook } from './screens.ts';

testLook({
  role: 'user',
  language: 'en',
  width: 360,
  settings: { colorScheme: 'dark', contrast: 'hight' },
  uncutAt: [],
});
