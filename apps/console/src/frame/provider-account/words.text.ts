/** What the screens of all accounts at providers say, beside what those of every entity do. */
export const accountWords = {
  zh: {
    provider: '服务商',
    state: '最近测试',
    untested: '未测试',
    works: '可用',
    fails: '不可用',
    test: '测试',
  },
  en: {
    provider: 'Provider',
    state: 'Last test',
    untested: 'Not tested',
    works: 'Working',
    fails: 'Failing',
    test: 'Test',
  },
};
