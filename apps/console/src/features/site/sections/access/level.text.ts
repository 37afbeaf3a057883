import type { LevelName } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

export const siteAccessLevelText = defineText({
  zh: {
    order:
      '按全局 → 产品 → 客户 → 站点的顺序判断，第一条符合的规则生效：此处放行的，下级无法拒绝；此处拒绝的，下级无法放行。',
    rulesHint: '同一级内先判断放行规则，再判断拒绝规则；都不符合时由下一级决定。',
    emptyHint: '添加规则后，对此级别的全部站点生效，优先于站点自己的规则。',
    deny: '此级别拒绝时的页面',
    above: '上级规则',
    aboveHint: '先于本站规则判断，符合即生效，本站无法更改。',
    ruleOf: (level: string, n: number) => `${level} ${n}`,
    levels: { global: '全局', product: '产品', client: '客户' } satisfies Record<LevelName, string>,
  },
  en: {
    order:
      'Asked in the order platform, product, customer, site; the first rule that fits decides. Whom this level lets in nobody below refuses, and whom it refuses nobody below lets in.',
    rulesHint:
      'Rules that let in are asked before those that refuse. Where none fits, the next level decides.',
    emptyHint: 'Rules here are for all sites of this level, before the sites’ own.',
    deny: 'Page of a refusal by this level',
    above: 'Rules of the levels above',
    aboveHint: 'Asked before the rules of this site, which cannot change them.',
    ruleOf: (level: string, n: number) => `${level} ${n}`,
    levels: { global: 'Platform', product: 'Product', client: 'Customer' },
  },
});
