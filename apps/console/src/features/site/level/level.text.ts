import type { LevelName, SiteLevelRevision, ValueSource } from '@breakwater/contract';
import { defineText } from '../../../i18n/text.ts';

type Sources = Record<ValueSource, string>;
type Levels = Record<LevelName, string>;
type Sections = Record<SiteLevelRevision['section'], string>;

export const siteLevelText = defineText({
  zh: {
    title: '默认配置',
    titles: {
      global: '全局默认配置',
      product: '产品默认配置',
      client: '客户默认配置',
    } satisfies Levels,
    about: {
      global: '所有站点的默认值。产品、客户和站点自己的设置优先。',
      product: '此产品全部站点的默认值，优先于全局；客户和站点自己的设置优先于它。',
      client: '此客户全部站点的默认值，优先于全局和产品；站点自己的设置优先于它。',
    } satisfies Levels,
    sites: (count: number) => `${count} 个站点`,
    set: (count: number) => (count === 0 ? '尚未设置任何项' : `设置了 ${count} 项`),
    tabs: {
      cache: '缓存',
      speed: '页面加速',
      https: 'HTTPS',
      limits: '限制',
      access: '访问控制',
      referer: '防盗链',
      rewrite: '重写',
      realIp: '访客地址',
      advanced: '高级',
      revisions: '版本',
    },
    own: { site: '本站设置', level: '此处设置' },
    from: { global: '全局', product: '产品', client: '客户', built_in: '内置默认' } satisfies Sources,
    giveUp: '恢复继承',
    confirmTitle: '修改默认配置？',
    confirm: (sites: number) =>
      sites === 0
        ? '目前没有站点会因此改变：涉及的项都由站点或更近的级别自己设置，或者还没有站点。'
        : `${sites} 个站点的配置会随之改变。自己设置了这些项的站点不受影响。`,
    confirmFields: '涉及的项：',
    save: '保存',
    saved: {
      sent: '已下发，等待节点确认…',
      applied: '已生效：全部节点已确认',
      refused: '有节点拒绝了此次变更，详见任务',
      none: '已保存；还没有节点为这些站点服务',
    },
    history: '版本历史',
    historyHint: '每次变更的作者与差异，可恢复到任意版本。',
    noHistory: '还没有变更',
    noHistoryHint: '在其他页签中设置第一项，这里就会出现它的记录。',
    rollback: '恢复到此版本',
    sections: {
      cache_rule: '缓存',
      speed_optimize: '页面加速',
      certificate_settings: 'HTTPS',
      advanced_config: '高级',
      security: '限制',
      real_ip: '访客地址',
      access_control: '访问控制',
      block_referer: '防盗链',
      content_rewrite: '重写',
      rollback: '恢复',
    } satisfies Sections,
  },
  en: {
    title: 'Site defaults',
    titles: {
      global: 'Global site defaults',
      product: 'Site defaults of the product',
      client: 'Site defaults of the customer',
    },
    about: {
      global: 'Defaults of all sites. What a product, a customer or a site sets itself goes before them.',
      product:
        'Defaults of all sites of this product, before the global ones; customers and sites go before them.',
      client:
        'Defaults of all sites of this customer, before product and global; what a site sets goes before them.',
    },
    sites: (count: number) => (count === 1 ? '1 site' : `${count} sites`),
    set: (count: number) =>
      count === 0 ? 'nothing set yet' : count === 1 ? '1 field set' : `${count} fields set`,
    tabs: {
      cache: 'Cache',
      speed: 'Page speed',
      https: 'HTTPS',
      limits: 'Limits',
      access: 'Access',
      referer: 'Referers',
      rewrite: 'Rewriting',
      realIp: 'Client address',
      advanced: 'Advanced',
      revisions: 'Versions',
    },
    own: { site: 'Set on this site', level: 'Set here' },
    from: { global: 'Global', product: 'Product', client: 'Customer', built_in: 'Built-in' },
    giveUp: 'Return to inherited',
    confirmTitle: 'Change these defaults?',
    confirm: (sites: number) =>
      sites === 0
        ? 'No site changes by this now: each sets these fields itself, has them from a nearer level, or there are no sites yet.'
        : `${sites === 1 ? '1 site changes' : `${sites} sites change`} with it. Sites that set these fields themselves do not.`,
    confirmFields: 'Fields: ',
    save: 'Save',
    saved: {
      sent: 'Sent, waiting for nodes…',
      applied: 'Live: every node has acknowledged',
      refused: 'A node refused the change; see the tasks',
      none: 'Saved; no node serves these sites yet',
    },
    history: 'Versions',
    historyHint: 'Who changed what. Any version can be restored.',
    noHistory: 'No changes yet',
    noHistoryHint: 'Set a first field in another tab, and it is listed here.',
    rollback: 'Restore this version',
    sections: {
      cache_rule: 'Cache',
      speed_optimize: 'Page speed',
      certificate_settings: 'HTTPS',
      advanced_config: 'Advanced',
      security: 'Limits',
      real_ip: 'Client address',
      access_control: 'Access',
      block_referer: 'Referers',
      content_rewrite: 'Rewriting',
      rollback: 'Restore',
    },
  },
});
