import type { ScreenId } from './screens.ts';

/** What the entries of the menus and the screens are called. Chinese is the source. */
const zh = {
  menu: {
    overview: '总览',
    statistics: '统计监控',
    delivery: '加速与防护',
    nodes: '节点管理',
    business: '业务管理',
    system: '系统',
    maintenance: '系统维护',
    apiDocs: 'API 文档',
  },
  caption: { apiDocs: '在新标签页打开' },
  screen: {
    home: '概览',
    monitor: '实时监控',
    accessLogs: '访问日志',
    areas: '区域',
    nodes: '节点',
    nodeDetail: '节点详情',
    lineGroups: '线路组',
    lineGroupDetail: '线路组详情',
    products: '产品',
    orders: '订单',
    orderDetail: '订单详情',
    sites: '站点',
    siteDomains: '域名列表',
    siteCreate: '添加站点',
    siteDetail: '站点详情',
    certificates: '证书',
    clients: '客户',
    clientDetail: '客户详情',
    tasks: '任务',
    operationLogs: '操作日志',
    settings: '设置',
  } satisfies Record<ScreenId, string>,
};

const en: typeof zh = {
  menu: {
    overview: 'Overview',
    statistics: 'Statistics',
    delivery: 'Delivery',
    nodes: 'Node management',
    business: 'Business',
    system: 'System',
    maintenance: 'Maintenance',
    apiDocs: 'API guide',
  },
  caption: { apiDocs: 'Opens in a new tab' },
  screen: {
    home: 'Home',
    monitor: 'Monitoring',
    accessLogs: 'Access logs',
    areas: 'Areas',
    nodes: 'Nodes',
    nodeDetail: 'Node',
    lineGroups: 'Line groups',
    lineGroupDetail: 'Line group',
    products: 'Products',
    orders: 'Orders',
    orderDetail: 'Order',
    sites: 'Sites',
    siteDomains: 'Domains',
    siteCreate: 'Add a site',
    siteDetail: 'Site',
    certificates: 'Certificates',
    clients: 'Customers',
    clientDetail: 'Customer',
    tasks: 'Tasks',
    operationLogs: 'Operation log',
    settings: 'Settings',
  },
};

export const menuText = { zh, en };
export type MenuTextKey = keyof typeof zh.menu;
