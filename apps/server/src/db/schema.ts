/** All tables, each beside its module. Enumerations are text, held to their values by the contract; money is in minor units. */

export * from '../delivery/delivery.table.ts';
export * from '../modules/address-list/address-list.table.ts';
export * from '../modules/admin-user/admin-user.table.ts';
export * from '../modules/area/area.table.ts';
export * from '../modules/auth/auth.table.ts';
export * from '../modules/certificate/certificate.table.ts';
export * from '../modules/client/client.table.ts';
export * from '../modules/data-export/data-export.table.ts';
export * from '../modules/ip-data/ip-data.table.ts';
export * from '../modules/line-group/line-group.table.ts';
export * from '../modules/node/node-resource.table.ts';
export * from '../modules/node/node.table.ts';
export * from '../modules/operation-log/operation-log.table.ts';
export * from '../modules/order/order.table.ts';
export * from '../modules/origin-health/origin-health.table.ts';
export * from '../modules/product/product.table.ts';
export * from '../modules/setting/setting.table.ts';
export * from '../modules/site-batch/site-batch.table.ts';
export * from '../modules/site-config/site-config.table.ts';
export * from '../modules/site-domain/site-domain.table.ts';
export * from '../modules/site-level/site-level.table.ts';
export * from '../modules/site-reject/site-reject.table.ts';
export * from '../modules/site-violation/site-violation.table.ts';
export * from '../modules/site/site.table.ts';
export * from '../modules/tag/tag.table.ts';
