import type { ScreenId } from '@breakwater/contract';
import { lazyRouteComponent } from '@tanstack/react-router';

/** The component of every screen of the contract, loaded when it is first visited. A screen that is missing does not compile. */
export const screenComponents = {
  home: lazyRouteComponent(() => import('../features/home/home.tsx'), 'Home'),
  monitor: lazyRouteComponent(() => import('../features/monitor/monitor.tsx'), 'Monitor'),
  accessLogs: lazyRouteComponent(() => import('../features/access-log/access-log-list.tsx'), 'AccessLogList'),
  areas: lazyRouteComponent(() => import('../features/area/area-list.tsx'), 'AreaList'),
  nodes: lazyRouteComponent(() => import('../features/node/node-list.tsx'), 'NodeList'),
  nodeDetail: lazyRouteComponent(() => import('../features/node/node-detail.tsx'), 'NodeDetail'),
  lineGroups: lazyRouteComponent(() => import('../features/line-group/line-group-list.tsx'), 'LineGroupList'),
  lineGroupDetail: lazyRouteComponent(() => import('../features/line-group/line-group-detail.tsx'), 'LineGroupDetail'),
  products: lazyRouteComponent(() => import('../features/product/product-list.tsx'), 'ProductList'),
  orders: lazyRouteComponent(() => import('../features/order/order-list.tsx'), 'OrderList'),
  orderDetail: lazyRouteComponent(() => import('../features/order/order-detail.tsx'), 'OrderDetail'),
  sites: lazyRouteComponent(() => import('../features/site/site-list.tsx'), 'SiteList'),
  siteCreate: lazyRouteComponent(() => import('../features/site/site-create.tsx'), 'SiteCreate'),
  siteDetail: lazyRouteComponent(() => import('../features/site/site-detail.tsx'), 'SiteDetail'),
  certificates: lazyRouteComponent(() => import('../features/certificate/certificate-list.tsx'), 'CertificateList'),
  clients: lazyRouteComponent(() => import('../features/client/client-list.tsx'), 'ClientList'),
  clientDetail: lazyRouteComponent(() => import('../features/client/client-detail.tsx'), 'ClientDetail'),
  tasks: lazyRouteComponent(() => import('../features/task/task-list.tsx'), 'TaskList'),
  operationLogs: lazyRouteComponent(() => import('../features/operation-log/operation-log-list.tsx'), 'OperationLogList'),
  settings: lazyRouteComponent(() => import('../features/setting/settings.tsx'), 'Settings'),
} satisfies Record<ScreenId, unknown>;
