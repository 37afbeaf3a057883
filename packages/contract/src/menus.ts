import type { Role } from './permissions.ts';
import type { ScreenId } from './screens.ts';

/** What every entry of a menu may have besides where it leads. */
interface MenuLook {
  /** Name of a bundled icon, or `set:name` of one that the console fetches. */
  icon: string;
  /** A small line below the title: a key of `menuText`. */
  captionKey?: `caption.${string}`;
  disabled?: boolean;
  /** Who sees it; everybody where it is absent. */
  roles?: readonly Role[];
}
export interface MenuScreen extends MenuLook {
  screen: ScreenId;
}
export interface MenuGroup extends MenuLook {
  titleKey: `menu.${string}`;
  children: readonly MenuItem[];
}
/** A page that is no screen of the console; it opens in a new tab. */
export interface MenuLink extends MenuLook {
  titleKey: `menu.${string}`;
  link: string;
}
export type MenuItem = MenuScreen | MenuGroup | MenuLink;

export interface MenuSection {
  titleKey: `menu.${string}`;
  items: readonly MenuItem[];
}

/** The administrator's menu. Every screen that is not reached from another one stands in a menu. */
export const adminMenu: readonly MenuSection[] = [
  {
    titleKey: 'menu.overview',
    items: [
      { screen: 'home', icon: 'home' },
      {
        titleKey: 'menu.statistics',
        icon: 'chart',
        children: [
          { screen: 'monitor', icon: 'traffic' },
          { screen: 'analysis', icon: 'analysis' },
          { screen: 'accessStats', icon: 'ranking' },
          { screen: 'attackStats', icon: 'warning' },
          { screen: 'accessLogs', icon: 'log' },
          { screen: 'refusedLogs', icon: 'refused' },
          { screen: 'siteRejects', icon: 'ban' },
          { screen: 'falseAlarms', icon: 'question' },
          { screen: 'violations', icon: 'violation-log' },
          { screen: 'violationStats', icon: 'violation-stats' },
          { screen: 'dataExports', icon: 'export' },
        ],
      },
    ],
  },
  {
    titleKey: 'menu.delivery',
    items: [
      { screen: 'sites', icon: 'site' },
      { screen: 'siteDomains', icon: 'domain' },
      { screen: 'filings', icon: 'filing' },
      { screen: 'siteDefaults', icon: 'defaults' },
      { screen: 'siteBatches', icon: 'batch' },
      {
        titleKey: 'menu.waf',
        icon: 'waf',
        children: [
          { screen: 'wafGlobal', icon: 'waf-global' },
          { screen: 'wafMatchers', icon: 'template' },
          { screen: 'knownVulnerabilities', icon: 'bug' },
          { screen: 'wafSetting', icon: 'ban-setting' },
        ],
      },
      {
        titleKey: 'menu.violations',
        icon: 'violation-group',
        children: [
          { screen: 'httpFilterSetting', icon: 'violation' },
          { screen: 'domainNameBlacklist', icon: 'domain-ban' },
          { screen: 'blacklistHits', icon: 'domain-found' },
        ],
      },
      { screen: 'siteRefreshes', icon: 'renew' },
      { screen: 'sitePrefetches', icon: 'prefetch' },
      { screen: 'tags', icon: 'tag' },
      { screen: 'addressLists', icon: 'address-list' },
      { screen: 'certificates', icon: 'certificate' },
      { screen: 'certificateOrders', icon: 'certificate-order' },
      { screen: 'dnsAccounts', icon: 'dns' },
      { screen: 'captchaAccounts', icon: 'captcha' },
      {
        titleKey: 'menu.nodes',
        icon: 'nodes',
        children: [
          { screen: 'nodes', icon: 'node' },
          { screen: 'areas', icon: 'area' },
          { screen: 'nodeResources', icon: 'pulse' },
          { screen: 'floods', icon: 'flood' },
          { screen: 'logStore', icon: 'database' },
        ],
      },
      { screen: 'lineGroups', icon: 'line-group' },
    ],
  },
  {
    titleKey: 'menu.business',
    items: [
      { screen: 'products', icon: 'product' },
      { screen: 'clients', icon: 'client' },
      { screen: 'orders', icon: 'order' },
    ],
  },
  {
    titleKey: 'menu.system',
    items: [
      { screen: 'tasks', icon: 'task' },
      {
        titleKey: 'menu.maintenance',
        icon: 'maintenance',
        children: [
          { screen: 'settings', icon: 'setting' },
          { screen: 'acmeAccounts', icon: 'certificate-account' },
          { screen: 'adminUsers', icon: 'operator' },
          { screen: 'ipData', icon: 'map' },
          { screen: 'operationLogs', icon: 'audit' },
        ],
      },
      { titleKey: 'menu.apiDocs', link: '/docs', icon: 'code', captionKey: 'caption.apiDocs' },
    ],
  },
];

/** The customer's menu. */
export const customerMenu: readonly MenuSection[] = [
  {
    titleKey: 'menu.overview',
    items: [
      { screen: 'home', icon: 'home' },
      {
        titleKey: 'menu.statistics',
        icon: 'chart',
        children: [
          { screen: 'monitor', icon: 'traffic' },
          { screen: 'analysis', icon: 'analysis' },
          { screen: 'accessStats', icon: 'ranking' },
          { screen: 'attackStats', icon: 'warning' },
          { screen: 'accessLogs', icon: 'log' },
          { screen: 'refusedLogs', icon: 'refused' },
          { screen: 'siteRejects', icon: 'ban' },
          { screen: 'falseAlarms', icon: 'question' },
          { screen: 'violations', icon: 'violation-log' },
          { screen: 'violationStats', icon: 'violation-stats' },
        ],
      },
    ],
  },
  {
    titleKey: 'menu.delivery',
    items: [
      { screen: 'sites', icon: 'site' },
      { screen: 'siteBatches', icon: 'batch' },
      { screen: 'filings', icon: 'filing' },
      { screen: 'wafMatchers', icon: 'waf' },
      { screen: 'siteRefreshes', icon: 'renew' },
      { screen: 'sitePrefetches', icon: 'prefetch' },
      { screen: 'tags', icon: 'tag' },
      { screen: 'addressLists', icon: 'address-list' },
      { screen: 'certificates', icon: 'certificate' },
      { screen: 'certificateOrders', icon: 'certificate-order' },
      { screen: 'dnsAccounts', icon: 'dns' },
      { screen: 'captchaAccounts', icon: 'captcha' },
    ],
  },
  {
    titleKey: 'menu.business',
    items: [
      { screen: 'orders', icon: 'order' },
      { screen: 'members', icon: 'member' },
    ],
  },
];

/** An unknown role has the administrator's menu; what it may see of it, the roles of the entries say. */
export const menuOf = (role: string): readonly MenuSection[] => (role === 'user' ? customerMenu : adminMenu);

/** The screens that a menu leads to. */
export function screensOf(menu: readonly MenuSection[]): ScreenId[] {
  const inside = (item: MenuItem): ScreenId[] =>
    'screen' in item ? [item.screen] : 'children' in item ? item.children.flatMap(inside) : [];
  return menu.flatMap((section) => section.items.flatMap(inside));
}

/** Where the console fetches an icon that a menu names and that it does not bundle, tried in turn. */
export const iconHosts: readonly string[] = [
  'https://api.iconify.design',
  'https://api.simplesvg.com',
  'https://api.unisvg.com',
];
