import type { EventActor, EventKind, EventSubject } from './event.ts';
import type { Language } from './issues.text.ts';

interface EventText {
  subjects: Record<EventSubject, string>;
  /** What happened, as it stands beside the name of what it happened to. */
  kinds: Record<EventKind, string>;
  /** Whoever has no name, and for customers everybody who works for the platform. */
  actors: Record<EventActor, string>;
}

const zh: EventText = {
  subjects: {
    site: '站点',
    node: '节点',
    line_group: '线路组',
    area: '区域',
    product: '产品',
    tag: '站点标签',
    client: '客户',
    order: '订单',
    certificate: '证书',
    address_list: '地址列表',
    ip_data: 'IP 数据',
    site_level: '默认配置',
    site_batch: '批量操作',
    setting: '设置',
    admin_user: '管理员',
    admin_group: '管理员组',
  },
  kinds: {
    created: '创建',
    updated: '修改',
    removed: '删除',
    removal_started: '开始删除',
    imported: '导入配置',
    section_changed: '修改配置',
    domains_changed: '修改域名',
    rolled_back: '回滚配置',
    status_changed: '状态变更',
    line_group_changed: '更换线路组',
    synced: '重新下发',
    domain_granted: '授权使用域名',
    addresses_changed: '修改 IP 地址',
    members_changed: '节点增减',
    credentials_replaced: '更换凭证',
    delivery_refused: '节点拒绝配置',
    refreshed: '更新内容',
    started: '开始执行',
    password_changed: '修改密码',
    two_factor_enabled: '启用两步验证',
    two_factor_disabled: '停用两步验证',
    recovery_codes_replaced: '更换恢复码',
    passkey_added: '添加通行密钥',
    passkey_removed: '删除通行密钥',
    token_created: '创建 API 令牌',
    token_removed: '删除 API 令牌',
    sessions_ended: '退出登录会话',
  },
  actors: { admin: '平台', client: '客户', node: '节点', system: '系统' },
};

const en: EventText = {
  subjects: {
    site: 'Site',
    node: 'Node',
    line_group: 'Line group',
    area: 'Area',
    product: 'Product',
    tag: 'Site tag',
    client: 'Customer',
    order: 'Order',
    certificate: 'Certificate',
    address_list: 'Address list',
    ip_data: 'IP data',
    site_level: 'Defaults',
    site_batch: 'Batch',
    setting: 'Setting',
    admin_user: 'Administrator',
    admin_group: 'Administrator group',
  },
  kinds: {
    created: 'Created',
    updated: 'Changed',
    removed: 'Deleted',
    removal_started: 'Deletion started',
    imported: 'Configuration imported',
    section_changed: 'Configuration changed',
    domains_changed: 'Domains changed',
    rolled_back: 'Configuration rolled back',
    status_changed: 'Status changed',
    line_group_changed: 'Line group changed',
    synced: 'Deployed again',
    domain_granted: 'Domain granted',
    addresses_changed: 'Addresses changed',
    members_changed: 'Nodes added or removed',
    credentials_replaced: 'Credentials replaced',
    delivery_refused: 'Refused by a node',
    refreshed: 'Content updated',
    started: 'Started',
    password_changed: 'Password changed',
    two_factor_enabled: 'Two-factor turned on',
    two_factor_disabled: 'Two-factor turned off',
    recovery_codes_replaced: 'Recovery codes replaced',
    passkey_added: 'Passkey added',
    passkey_removed: 'Passkey removed',
    token_created: 'API token created',
    token_removed: 'API token deleted',
    sessions_ended: 'Sessions signed out',
  },
  actors: { admin: 'The platform', client: 'Customer', node: 'Node', system: 'System' },
};

export const eventText: Record<Language, EventText> = { zh, en };
