import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const wafMatcherText = defineText({
  zh: {
    ...wordsOf.zh('规则模板'),
    classType: '适用软件',
    ruleCount: '规则数',
    subtitle: '可在站点的“自定义规则”中选用；修改模板不影响已选用的站点。',
    emptyHint: '添加模板，或从常用软件的规则开始。',
  },
  en: {
    ...wordsOf.en('rule template', 'rule templates'),
    classType: 'Software',
    ruleCount: 'Rules',
    subtitle:
      'For use in the custom rules of sites. Changes to a template do not affect sites that already use it.',
    emptyHint: 'Add a template, or start from the rules for common software.',
  },
});
