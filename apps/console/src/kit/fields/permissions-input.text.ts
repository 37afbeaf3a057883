import { defineText } from '../../i18n/text.ts';

export const permissionsInputText = defineText({
  zh: {
    notHeld: '您自己没有此权限，不能授予',
    someNotHeld: '灰色的权限您自己没有，不能授予他人。',
    all: '全选',
  },
  en: {
    notHeld: 'You do not have this permission, so you cannot grant it',
    someNotHeld: 'Permissions shown in grey cannot be granted, because you do not have them yourself.',
    all: 'Select all',
  },
});
