import type { LevelName } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

export const siteAccessLevelText = defineText({
  zh: {
    order:
      '按全局 → 套餐 → 客户 → 站点的顺序匹配，第一条命中的规则生效。上级允许的请求，下级无法拒绝；上级拒绝的请求，下级无法允许。',
    rulesHint: '同一级内先匹配允许规则，再匹配拒绝规则；都未命中时由下一级决定。',
    empty: '此级别未设置访问规则',
    emptyHint: '添加的规则对此级别的全部站点生效，优先于站点自己的规则。',
    deny: '此级别的拦截页面',
    above: '继承的规则',
    aboveHint: '先于本站点的规则匹配，命中即生效，本站点无法更改。',
    levels: { global: '全局', product: '套餐', client: '客户' } satisfies Record<LevelName, string>,
  },
  en: {
    order:
      'Evaluated in the order global, plan, customer, site; the first matching rule applies. Lower levels cannot block what a higher level allows, or allow what it blocks.',
    rulesHint:
      'Within a level, allow rules are evaluated before block rules. If none matches, the next level decides.',
    empty: 'No access rules at this level',
    emptyHint: 'Rules added here apply to all sites of this level, before the rules of each site.',
    deny: 'Block page of this level',
    above: 'Inherited rules',
    aboveHint: 'Evaluated before the rules of this site. They cannot be changed here.',
    levels: { global: 'Global', product: 'Plan', client: 'Customer' },
  },
});
