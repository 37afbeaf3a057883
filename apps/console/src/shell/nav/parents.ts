import type { ScreenId } from '@breakwater/contract';

/** Screens that stand in no menu, by the menu entry that leads to them. */
export const parents: Partial<Record<ScreenId, ScreenId>> = {
  monitorDetail: 'monitor',
  nodeDetail: 'nodes',
  floodDetail: 'floods',
  lineGroupDetail: 'lineGroups',
  productDetail: 'products',
  productDefaults: 'products',
  orderDetail: 'orders',
  siteCreate: 'sites',
  siteDetail: 'sites',
  siteBatchDetail: 'siteBatches',
  sitePrefetchDetail: 'sitePrefetches',
  certificateDetail: 'certificates',
  certificateUpload: 'certificates',
  clientDetail: 'clients',
  clientDefaults: 'clients',
  unfiledDomains: 'filings',
};
