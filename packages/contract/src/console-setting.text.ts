import type { ConsoleSetting } from './console-setting.ts';

/** What the consoles say until an operator says otherwise. */
export const consoleSettingDefault: ConsoleSetting = {
  welcome_tip: { zh: '登录以管理您的站点与节点', en: 'Sign in to manage your sites and nodes' },
  language: 'zh',
  sign_up: true,
  upgrade_banner: {
    shown: false,
    text: { zh: '更多功能与节点', en: 'More features and nodes' },
    link_text: { zh: '了解更多', en: 'Learn more' },
    link: '',
  },
};
