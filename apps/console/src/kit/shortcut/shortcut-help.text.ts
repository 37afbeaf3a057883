import { defineText } from '../../i18n/text.ts';

export const shortcutText = defineText({
  zh: { title: '键盘快捷键', general: '通用', help: '显示此帮助', leave: '关闭窗口或菜单' },
  en: {
    title: 'Keyboard shortcuts',
    general: 'General',
    help: 'Show this help',
    leave: 'Close a dialog or menu',
  },
});
