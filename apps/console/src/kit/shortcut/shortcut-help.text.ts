import { defineText } from '../../i18n/text.ts';

export const shortcutText = defineText({
  zh: {
    title: '键盘快捷键',
    general: '通用',
    help: '显示此帮助',
    leave: '关闭窗口或菜单',
    lists: '列表',
    nextRow: '下一行',
    previousRow: '上一行',
    openRow: '打开当前行',
    selectRow: '选择或取消选择当前行',
    searchList: '搜索列表',
  },
  en: {
    title: 'Keyboard shortcuts',
    general: 'General',
    help: 'Show this help',
    leave: 'Close a dialog or menu',
    lists: 'Lists',
    nextRow: 'Next row',
    previousRow: 'Previous row',
    openRow: 'Open the row',
    selectRow: 'Select or deselect the row',
    searchList: 'Search the list',
  },
});
