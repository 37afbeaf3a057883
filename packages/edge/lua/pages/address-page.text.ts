import type { EntryVerdict, FieldOutcome, PeerTrust } from '@breakwater/policy/address/address-trace';
import type { AddressReason } from '@breakwater/policy/address/client-address';

/** A text in both languages: visitors get both. */
export interface Both {
  zh: string;
  en: string;
}

/** What the page says on which a node shows what it sees of whoever opens it. */
export const addressText = {
  title: { zh: '节点识别的访客真实 IP', en: 'How this node sees you' },
  client: { zh: '按站点设置，访客真实 IP 为', en: 'With the settings of this site, your real client IP is' },
  connection: { zh: '连接', en: 'Connection' },
  from: { zh: '来自', en: 'From' },
  proxied: { zh: 'PROXY 协议中的地址', en: 'Address in the PROXY protocol' },
  none: { zh: '无', en: 'None' },
  to: { zh: '到达', en: 'To' },
  node: { zh: '节点', en: 'Node' },
  setting: { zh: '设置', en: 'Setting' },
  peer: { zh: '连接对端', en: 'Peer of the connection' },
  steps: { zh: '逐步判断', en: 'Step by step' },
  headers: { zh: '收到的相关请求头', en: 'Relevant request headers received' },
  noHeaders: { zh: '没有收到相关的请求头。', en: 'No relevant request headers were received.' },
} satisfies Record<string, Both>;

export const modeText: Record<string, Both> = {
  socket: { zh: '连接 IP', en: 'connection IP' },
  header: { zh: '请求头', en: 'request headers' },
  xff: { zh: 'X-Forwarded-For 中的位置', en: 'position in X-Forwarded-For' },
  cdn: { zh: '已知的 CDN', en: 'known CDN' },
  proxy_protocol: { zh: 'PROXY 协议', en: 'PROXY protocol' },
};

export const trustText: Record<PeerTrust, Both> = {
  listed: { zh: '在可信代理列表中', en: 'is in the list of trusted proxies' },
  preset: { zh: '属于该 CDN 公布的网段', en: 'is in a network published by the CDN' },
  address_list: { zh: '属于可信的 IP 列表', en: 'is in a trusted address list' },
  untrusted: { zh: '不可信：忽略所有请求头', en: 'is not trusted: its headers are ignored' },
  unasked: { zh: '无需判断', en: 'does not need to be trusted' },
};

export const outcomeText: Record<FieldOutcome, Both> = {
  used: { zh: '采用', en: 'used' },
  absent: { zh: '没有收到', en: 'not received' },
  bad_field: { zh: '包含不是 IP 的内容，不采用', en: 'ignored: contains something other than IP addresses' },
  short_list: {
    zh: '列表长度不足设置的位置，不采用',
    en: 'ignored: the list is shorter than the configured position',
  },
  unread: { zh: '未读取：已由前面的请求头决定', en: 'not read: an earlier header was used' },
};

export const verdictText: Record<EntryVerdict, Both> = {
  chosen: { zh: '采用', en: 'used' },
  passed: { zh: '可信代理，跳过', en: 'trusted proxy, skipped' },
  counted: { zh: '未到设置的位置', en: 'before the configured position' },
  bad: { zh: '不是 IP', en: 'not an IP address' },
  unread: { zh: '未读取', en: 'not read' },
};

export const reasonText: Record<AddressReason, Both> = {
  socket: { zh: '设置为使用连接 IP', en: 'the site is set to use the connection IP' },
  untrusted_peer: {
    zh: '对端不可信，使用连接 IP',
    en: 'the peer is not trusted, so the connection IP is used',
  },
  no_field: {
    zh: '没有收到所设置的请求头，使用连接 IP',
    en: 'none of the configured headers was received, so the connection IP is used',
  },
  bad_field: {
    zh: '请求头无法解析，使用连接 IP',
    en: 'a header could not be parsed, so the connection IP is used',
  },
  short_list: { zh: '列表过短，使用连接 IP', en: 'the list is too short, so the connection IP is used' },
  no_proxy_protocol: {
    zh: '连接没有使用 PROXY 协议，使用连接 IP',
    en: 'the connection does not use the PROXY protocol, so the connection IP is used',
  },
  field: { zh: '取自请求头', en: 'taken from a header' },
  proxy_protocol: { zh: '取自 PROXY 协议', en: 'taken from the PROXY protocol' },
};
