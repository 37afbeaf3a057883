import { defineText } from '../i18n/text.ts';

export const kitPageText = defineText({
  zh: {
    title: '组件库',
    language: '语言',
    chinese: '中文',
    english: 'English',
    dark: '深色',
    contrast: '高对比度',
    rtl: '从右到左',
    sections: '分类',
    section: {
      table: '表格',
      fields: '字段',
      forms: '表单与页面',
      charts: '图表',
      values: '数值与文本',
      states: '状态与反馈',
    },
    missing: '组件页中没有此地址',
  },
  en: {
    title: 'Kit',
    language: 'Language',
    chinese: '中文',
    english: 'English',
    dark: 'Dark',
    contrast: 'High contrast',
    rtl: 'Right to left',
    sections: 'Sections',
    section: {
      table: 'Tables',
      fields: 'Fields',
      forms: 'Forms and pages',
      charts: 'Charts',
      values: 'Values and texts',
      states: 'States and feedback',
    },
    missing: 'The page of the kit has no such address',
  },
});
