import { defineText } from '../../i18n/text.ts';

export const filterText = defineText({
  zh: {
    anyTime: '不限时间',
    from: (start: string) => `${start} 起`,
    until: (end: string) => `截至 ${end}`,
    between: (start: string, end: string) => `${start} – ${end}`,
    apply: '应用',
    saved: '常用筛选',
    saveCurrent: '保存当前筛选',
    filterName: '筛选名称',
    removeSaved: (name: string) => `删除常用筛选：${name}`,
    noneSaved: '还没有常用筛选。设置筛选条件后，可将其保存在此浏览器中。',
  },
  en: {
    anyTime: 'Any time',
    from: (start: string) => `from ${start}`,
    until: (end: string) => `until ${end}`,
    between: (start: string, end: string) => `${start} – ${end}`,
    apply: 'Apply',
    saved: 'Saved filters',
    saveCurrent: 'Save these filters',
    filterName: 'Filter name',
    removeSaved: (name: string) => `Delete saved filter: ${name}`,
    noneSaved: 'No saved filters yet. Set some filters to save them in this browser.',
  },
});
