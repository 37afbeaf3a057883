import type { EntryVerdict, FieldOutcome, PeerTrust } from '@breakwater/policy/address-trace';
import type { AddressReason } from '@breakwater/policy/client-address';

/** A text in both languages: visitors get both. */
export interface Both {
  zh: string;
  en: string;
}

/** What the page says on which a node shows what it sees of whoever opens it. */
export const addressText = {
  title: { zh: '节点看到的访客地址', en: 'What this node sees of you' },
  client: { zh: '按网站设置，访客地址是', en: 'By the setting of the site, the visitor’s address is' },
  connection: { zh: '连接', en: 'The connection' },
  from: { zh: '来自', en: 'From' },
  proxied: { zh: 'PROXY 协议中的地址', en: 'Address in the PROXY protocol' },
  none: { zh: '无', en: 'none' },
  to: { zh: '到达', en: 'To' },
  node: { zh: '节点', en: 'Node' },
  setting: { zh: '设置', en: 'Setting' },
  peer: { zh: '连接的对端', en: 'Whoever made the connection' },
  steps: { zh: '逐步判断', en: 'Step by step' },
  headers: { zh: '收到的相关请求头', en: 'Headers of concern, as they came' },
  noHeaders: { zh: '没有收到任何相关的请求头。', en: 'None came.' },
} satisfies Record<string, Both>;

export const modeText: Record<string, Both> = {
  socket: { zh: '连接本身', en: 'the connection itself' },
  header: { zh: '请求头', en: 'request headers' },
  xff: { zh: 'X-Forwarded-For 的位置', en: 'a place in X-Forwarded-For' },
  cdn: { zh: '已知的 CDN', en: 'a known CDN' },
  proxy_protocol: { zh: 'PROXY 协议', en: 'the PROXY protocol' },
};

export const trustText: Record<PeerTrust, Both> = {
  listed: { zh: '在可信代理列表中', en: 'is in the list of trusted proxies' },
  preset: { zh: '属于该 CDN 公布的网段', en: 'is in a network that the CDN publishes' },
  untrusted: { zh: '不可信：不查看任何请求头', en: 'is not trusted: no header of its counts' },
  unasked: { zh: '不需要判断', en: 'need not be trusted' },
};

export const outcomeText: Record<FieldOutcome, Both> = {
  used: { zh: '采用', en: 'decided' },
  absent: { zh: '没有收到', en: 'did not come' },
  bad_field: { zh: '含有不是地址的内容，不采用', en: 'holds what is no address, so it does not count' },
  short_list: {
    zh: '比设置的位置短，不采用',
    en: 'is shorter than the place that is set, so it does not count',
  },
  unread: { zh: '未查看：前面已经决定', en: 'was not read: another had decided' },
};

export const verdictText: Record<EntryVerdict, Both> = {
  chosen: { zh: '采用', en: 'taken' },
  passed: { zh: '可信代理，跳过', en: 'a trusted proxy, passed over' },
  counted: { zh: '未到设置的位置', en: 'before the place that is set' },
  bad: { zh: '不是地址', en: 'no address' },
  unread: { zh: '未查看', en: 'not read' },
};

export const reasonText: Record<AddressReason, Both> = {
  socket: { zh: '设置为使用连接的地址', en: 'the setting asks for the connection’s' },
  untrusted_peer: {
    zh: '对端不可信，使用连接的地址',
    en: 'the peer is not trusted, so the connection’s counts',
  },
  no_field: {
    zh: '没有收到任何所设的请求头，使用连接的地址',
    en: 'none of the headers came, so the connection’s counts',
  },
  bad_field: {
    zh: '请求头无法读取，使用连接的地址',
    en: 'a header cannot be read, so the connection’s counts',
  },
  short_list: { zh: '列表太短，使用连接的地址', en: 'the list is too short, so the connection’s counts' },
  no_proxy_protocol: {
    zh: '连接没有使用 PROXY 协议，使用连接的地址',
    en: 'the connection came without the PROXY protocol, so its own counts',
  },
  field: { zh: '取自请求头', en: 'taken from a header' },
  proxy_protocol: { zh: '取自 PROXY 协议', en: 'taken from the PROXY protocol' },
};
