import type { LevelName, SiteLevelRevision, ValueSource } from '@breakwater/contract';
import { defineText } from '../../../i18n/text.ts';

type Sources = Record<ValueSource, string>;
type Levels = Record<LevelName, string>;
type Sections = Record<SiteLevelRevision['section'], string>;

export const siteLevelText = defineText({
  zh: {
    waf: '全局防护规则',
    title: '站点默认配置',
    titles: {
      global: '全局站点默认配置',
      product: '套餐站点默认配置',
      client: '客户站点默认配置',
    } satisfies Levels,
    titleOf: (title: string, name: string) => `${title}：${name}`,
    about: {
      global: '全部站点的默认值，套餐、客户和站点自己的设置优先，但规则先于它们的规则匹配。',
      product:
        '使用此套餐的全部站点的默认值，优先于全局；客户和站点自己的设置优先，但规则先于它们的规则匹配。',
      client: '此客户全部站点的默认值，优先于全局和套餐；站点自己的设置优先，但规则先于站点的规则匹配。',
    } satisfies Levels,
    sites: (count: number) => `影响 ${count} 个站点`,
    set: (count: number) => (count === 0 ? '尚未修改任何默认值' : `已设置 ${count} 项`),
    tabs: {
      cache: '缓存',
      speed: '压缩与预加载',
      https: 'HTTPS',
      limits: '访问限制',
      access: '访问控制',
      matchers: '自定义规则',
      guard: 'CC 防护',
      verify: '浏览器验证',
      systemRules: '攻击检测',
      referer: '防盗链',
      rewrite: '重写',
      realIp: '访客真实 IP',
      advanced: '高级',
      revisions: '版本',
    },
    own: { site: '本站点设置', level: '此处设置' },
    from: {
      global: '继承自全局',
      product: '继承自套餐',
      client: '继承自客户',
      built_in: '默认值',
    } satisfies Sources,
    giveUp: '恢复为默认',
    confirmTitle: '修改默认配置？',
    confirm: (sites: number) =>
      sites === 0
        ? '目前没有站点继承这些项，不影响任何站点。'
        : `${sites} 个站点的配置会随之改变。自行设置了这些项的站点不受影响。`,
    save: '保存',
    saved: {
      sent: '已保存，等待节点生效…',
      applied: '已在全部节点生效',
      refused: '有节点拒绝了此次变更，请查看任务',
      none: '已保存；这些站点还没有节点，添加节点后生效',
    },
    history: '版本历史',
    historyHint: '每次变更的操作人与差异；可回滚到任意版本。',
    noHistory: '还没有变更',
    noHistoryHint: '修改设置后，这里会显示变更记录。',
    rollback: '回滚到此版本',
    sections: {
      cache_rule: '缓存',
      speed_optimize: '压缩与预加载',
      certificate_settings: 'HTTPS',
      advanced_config: '高级',
      security: '访问限制',
      real_ip: '访客真实 IP',
      access_control: '访问控制',
      matcher_rule: '自定义规则',
      cc_guardian_rule: 'CC 防护',
      browser_verify_rule: '浏览器验证',
      used_system_rule: '攻击检测',
      block_referer: '防盗链',
      content_rewrite: '重写',
      rollback: '回滚',
    } satisfies Sections,
  },
  en: {
    waf: 'Global rules',
    title: 'Site defaults',
    titles: {
      global: 'Global site defaults',
      product: 'Site defaults of the plan',
      client: 'Site defaults of the customer',
    },
    titleOf: (title: string, name: string) => `${title}: ${name}`,
    about: {
      global:
        'Defaults for all sites. Settings of a plan, customer or site take precedence; rules are evaluated before theirs.',
      product:
        'Defaults for all sites on this plan. They override the global defaults; settings of a customer or site take precedence, but rules are evaluated before theirs.',
      client:
        'Defaults for all sites of this customer. They override the global and plan defaults; settings of a site take precedence, but rules are evaluated before its own.',
    },
    sites: (count: number) => (count === 1 ? 'Applies to 1 site' : `Applies to ${count} sites`),
    set: (count: number) =>
      count === 0 ? 'No defaults changed yet' : count === 1 ? '1 setting' : `${count} settings`,
    tabs: {
      cache: 'Cache',
      speed: 'Compression and preload',
      https: 'HTTPS',
      limits: 'Limits',
      access: 'Access control',
      matchers: 'Custom rules',
      guard: 'CC protection',
      verify: 'Browser verification',
      systemRules: 'Attack detection',
      referer: 'Hotlink protection',
      rewrite: 'Rewrites',
      realIp: 'Real client IP',
      advanced: 'Advanced',
      revisions: 'Versions',
    },
    own: { site: 'Set on this site', level: 'Set here' },
    from: {
      global: 'Inherited from global',
      product: 'Inherited from plan',
      client: 'Inherited from customer',
      built_in: 'Default',
    },
    giveUp: 'Reset to default',
    confirmTitle: 'Change these defaults?',
    confirm: (sites: number) =>
      sites === 0
        ? 'No sites are affected at the moment: none of them inherits these settings.'
        : `${sites === 1 ? '1 site changes' : `${sites} sites change`} accordingly. Sites with their own values are not affected.`,
    save: 'Save',
    saved: {
      sent: 'Saved; deploying…',
      applied: 'Live on all nodes',
      refused: 'A node rejected the change. See Tasks.',
      none: 'Saved. No nodes serve these sites; add one to make this live.',
    },
    history: 'Version history',
    historyHint: 'Who changed what. You can roll back to any version.',
    noHistory: 'No changes yet',
    noHistoryHint: 'Changes to these settings are recorded here.',
    rollback: 'Roll back to this version',
    sections: {
      cache_rule: 'Cache',
      speed_optimize: 'Compression and preload',
      certificate_settings: 'HTTPS',
      advanced_config: 'Advanced',
      security: 'Limits',
      real_ip: 'Real client IP',
      access_control: 'Access control',
      matcher_rule: 'Custom rules',
      cc_guardian_rule: 'CC protection',
      browser_verify_rule: 'Browser verification',
      used_system_rule: 'Attack detection',
      block_referer: 'Hotlink protection',
      content_rewrite: 'Rewrites',
      rollback: 'Rollback',
    },
  },
});
