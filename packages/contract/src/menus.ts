import type { ScreenId } from './screens.ts';

export interface MenuSection {
  titleKey: `menu.${string}`;
  items: readonly MenuItem[];
}
export interface MenuItem {
  screen: ScreenId;
  /** Name of a bundled icon. */
  icon: string;
}

/** The administrator's menu. Every screen that is not reached from another one stands in a menu. */
export const adminMenu: readonly MenuSection[] = [
  {
    titleKey: 'menu.statistics',
    items: [
      { screen: 'home', icon: 'home' },
      { screen: 'monitor', icon: 'chart' },
      { screen: 'accessLogs', icon: 'log' },
    ],
  },
  {
    titleKey: 'menu.sites',
    items: [
      { screen: 'sites', icon: 'site' },
      { screen: 'certificates', icon: 'certificate' },
    ],
  },
  {
    titleKey: 'menu.nodes',
    items: [
      { screen: 'areas', icon: 'area' },
      { screen: 'nodes', icon: 'node' },
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
      { screen: 'operationLogs', icon: 'audit' },
      { screen: 'settings', icon: 'setting' },
    ],
  },
];

/** The customer's menu. */
export const customerMenu: readonly MenuSection[] = [
  {
    titleKey: 'menu.statistics',
    items: [
      { screen: 'home', icon: 'home' },
      { screen: 'monitor', icon: 'chart' },
      { screen: 'accessLogs', icon: 'log' },
    ],
  },
  {
    titleKey: 'menu.sites',
    items: [
      { screen: 'sites', icon: 'site' },
      { screen: 'certificates', icon: 'certificate' },
    ],
  },
  { titleKey: 'menu.business', items: [{ screen: 'orders', icon: 'order' }] },
];
