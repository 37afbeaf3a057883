import type { Summaries } from '../openapi.text.ts';

/** Customers and their members, products and orders. */
export const businessSummaries = {
  listClients: '查询客户，最新的在前。',
  createClient: '创建客户。',
  getClient: '获取客户。',
  updateClient: '修改客户。停用后，其登录立即结束，站点暂停，直至重新启用。',
  removeClient: '删除没有订单的客户。',
  changeClientPassword: '重置客户的密码，并结束其登录。',
  resetClientTwoFactor: '关闭客户的两步验证，删除其通行密钥，并结束其登录。',
  listMembers: '查询客户账号的成员，最新的在前。',
  createMember: '为客户账号添加成员。只能授予自己拥有的权限。',
  getMember: '获取成员。',
  updateMember: '修改权限不超过自己的成员。停用后，其登录立即结束。',
  removeMember: '删除成员，并结束其登录。其创建的内容保留。',
  changeMemberPassword: '重置成员的密码，并结束其登录。',
  resetMemberTwoFactor: '关闭成员的两步验证，删除其通行密钥，并结束其登录。',
  listProducts: '按名称查询产品。',
  createProduct: '创建产品。',
  getProduct: '获取产品。',
  updateProduct: '修改产品。已有订单的价格不变。',
  removeProduct: '删除没有订单的产品。',
  listOrders: '查询订单，默认最新的在前。',
  createOrder: '为客户创建订单，立即生效。',
  getOrder: '获取订单。',
  removeOrder: '删除没有站点的订单。',
  updateOrderNotes: '修改订单的名称和备注。',
  updateOrderAnotherName: '重命名订单。可提交修改所依据的版本。',
  changeOrderLineGroup:
    '更换订单的线路组。新站点立即使用新线路组，已有站点逐个迁移；尚未完成的上一次更换由此次取代。',
} satisfies Summaries;
