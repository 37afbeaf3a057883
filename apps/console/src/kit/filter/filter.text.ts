import { defineText } from '../../i18n/text.ts';

export const filterText = defineText({
  zh: {
    anyTime: '不限时间',
    from: (start: string) => `${start} 起`,
    until: (end: string) => `截至 ${end}`,
    between: (start: string, end: string) => `${start} – ${end}`,
    apply: '应用',
    saved: '常用视图',
    saveCurrent: '保存当前视图',
    viewName: '视图名称',
    removeSaved: (name: string) => `删除常用视图：${name}`,
    copySaved: (name: string) => `复制链接：${name}`,
    savedCopied: '链接已复制',
    savedRemoved: (name: string) => `已删除视图“${name}”`,
    noneSaved: '还没有常用视图。可将当前的筛选条件、排序和列保存在此浏览器中。',
  },
  en: {
    anyTime: 'Any time',
    from: (start: string) => `from ${start}`,
    until: (end: string) => `until ${end}`,
    between: (start: string, end: string) => `${start} – ${end}`,
    apply: 'Apply',
    saved: 'Saved views',
    saveCurrent: 'Save this view',
    viewName: 'View name',
    removeSaved: (name: string) => `Delete saved view: ${name}`,
    copySaved: (name: string) => `Copy link: ${name}`,
    savedCopied: 'Link copied',
    savedRemoved: (name: string) => `View “${name}” deleted`,
    noneSaved: 'No saved views yet. Save the current filters, sort order and columns in this browser.',
  },
});
