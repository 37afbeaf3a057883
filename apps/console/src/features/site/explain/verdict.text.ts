import { defineText } from '../../../i18n/text.ts';
import { verdictSentences } from './verdict-sentences.text.ts';

/** What stands above a trace: what was then, and what would be now. */
export const verdictText = defineText({
  zh: {
    ...verdictSentences.zh,
    thenTitle: (time: string) => `当时（${time}）`,
    nowTitle: '现在',
    answered: (status: number) => `返回 ${status}。`,
    notWritten: '日志未记录缓存判定。',
    changed: '配置已变化：现在的结果与当时不同。',
    quiet: (n: number) => `另有 ${n} 步未影响此请求`,
    open: '前往设置',
  },
  en: {
    ...verdictSentences.en,
    thenTitle: (time: string) => `Then (${time})`,
    nowTitle: 'Now',
    answered: (status: number) => `Returned ${status}.`,
    notWritten: 'The log has no cache decision for this request.',
    changed: 'The configuration has changed: the result is different now.',
    quiet: (n: number) => `${n} more ${n === 1 ? 'step' : 'steps'} without effect on this request`,
    open: 'Go to the setting',
  },
});
