/**
 * Every error a body can carry. `code` goes on the wire, `status` is the HTTP status, texts are what a person reads.
 * 1, 406 and 10300 are fixed by the console's protocol: wrong password or account, ended sessions.
 */
export const errors = {
  wrong_credentials: {
    code: 1,
    status: 401,
    zh: '失败。密码或账号错误',
    en: 'Failed: wrong password or account',
  },
  session_revoked: {
    code: 406,
    status: 401,
    zh: '会话已失效，请重新登录',
    en: 'This session was ended. Sign in again',
  },
  session_ended: {
    code: 10300,
    status: 401,
    zh: '登录已过期，请重新登录',
    en: 'Your session has ended. Sign in again',
  },
  invalid_input: {
    code: 40000,
    status: 400,
    zh: '输入有误，请检查标出的字段',
    en: 'Check the marked fields',
  },
  malformed_body: { code: 40001, status: 400, zh: '请求无法解析', en: 'The request cannot be read' },
  request_too_long: {
    code: 43100,
    status: 431,
    zh: '请求过长，请减少筛选条件',
    en: 'This request is too long: take fewer filters',
  },
  nothing_to_export: { code: 40002, status: 400, zh: '没有可导出的数据', en: 'There is nothing to export' },
  node_signature: { code: 40100, status: 401, zh: '节点签名无效', en: 'The node signature is not valid' },
  forbidden: { code: 40300, status: 403, zh: '没有权限执行此操作', en: 'You may not do this' },
  beyond_permissions: {
    code: 40301,
    status: 403,
    zh: '对方拥有您没有的权限，无法修改',
    en: 'It holds permissions that you do not hold, so you cannot change it',
  },
  not_found: { code: 40400, status: 404, zh: '对象不存在', en: 'Not found' },
  conflict: { code: 40900, status: 409, zh: '与现有数据冲突', en: 'This conflicts with what is there' },
  stale_version: {
    code: 40901,
    status: 409,
    zh: '内容已被他人修改，请重新载入后再保存',
    en: 'Somebody else saved a newer version. Reload it, then save again',
  },
  in_use: {
    code: 40902,
    status: 409,
    zh: '对象正在被使用，不能删除',
    en: 'This is in use and cannot be deleted',
  },
  site_removing: {
    code: 40911,
    status: 409,
    zh: '站点正在删除，不能再修改',
    en: 'This site is being deleted and takes no more changes',
  },
  awaiting_proof: {
    code: 40912,
    status: 409,
    zh: '域名尚未通过验证，请先完成解析或 TXT 验证',
    en: 'The domains are not proven yet: set one of the DNS records shown, then check again',
  },
  suspension_stands: {
    code: 40913,
    status: 409,
    zh: '暂停原因仍然存在（订单过期或被暂停、客户被禁用），消除后会自动恢复',
    en: 'The cause of the suspension still stands (order expired or suspended, or customer disabled). The site comes back by itself when it ends',
  },
  domains_contested: {
    code: 40914,
    status: 409,
    zh: '域名与其他客户正在使用的域名重叠，请在站点的“接入”中逐个确认归属',
    en: 'The domains overlap with names that other customers use. Assign them one by one on the site, under “Going live”',
  },
  limit_reached: {
    code: 40903,
    status: 409,
    zh: '已达到套餐的数量上限',
    en: 'The limit of the product is reached',
  },
  too_many: { code: 40905, status: 409, zh: '数量已达上限', en: 'There are as many as there can be' },
  last_owner: {
    code: 40920,
    status: 409,
    zh: '至少要保留一个已启用且拥有全部权限的管理员',
    en: 'At least one enabled administrator must hold every permission',
  },
  log_position: {
    code: 40904,
    status: 409,
    zh: '日志位置不连续',
    en: 'The log position does not continue the last one',
  },
  too_large: { code: 41300, status: 413, zh: '请求内容过大', en: 'The request is too large' },
  unsupported_media: {
    code: 41500,
    status: 415,
    zh: '不支持的内容类型',
    en: 'This content type is not supported',
  },
  too_many_attempts: {
    code: 42900,
    status: 429,
    zh: '尝试次数过多，请稍后再试',
    en: 'Too many attempts. Try again later',
  },
  too_many_streams: {
    code: 42901,
    status: 429,
    zh: '同时打开的实时画面过多，请先关闭其他页面',
    en: 'Too many live views are open. Close others first',
  },
  internal: { code: 50000, status: 500, zh: '服务器内部错误', en: 'Something went wrong!' },
  unavailable: {
    code: 50300,
    status: 503,
    zh: '服务暂不可用，请稍后再试',
    en: 'Not available now. Try again later',
  },
  node_silent: {
    code: 50303,
    status: 503,
    zh: '节点没有应答，请检查它是否在线',
    en: 'The node does not answer. See whether it is online',
  },
  node_never_connected: {
    code: 50304,
    status: 503,
    zh: '该节点从未连接，请先在节点上安装并启动 Agent',
    en: 'This node has never connected. Install and start its agent first',
  },
  log_store_down: {
    code: 50301,
    status: 503,
    zh: '无法连接日志库，统计和日志暂不可用；节点会保留日志并在恢复后补传',
    en: 'The log store cannot be reached, so there are no statistics and logs for now. Nodes keep their lines and send them once it is back',
  },
  log_store_full: {
    code: 50302,
    status: 503,
    zh: '日志库已满，请腾出空间；节点会保留日志并在之后补传',
    en: 'The log store is full: make room. Nodes keep their lines and send them then',
  },
} as const satisfies Record<string, { code: number; status: number; zh: string; en: string }>;
export type ErrorName = keyof typeof errors;
