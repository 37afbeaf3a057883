import { errors, type ErrorName } from './errors.ts';
import type { RouteName } from './index.ts';
import { accountSummaries } from './summaries/account.text.ts';
import { businessSummaries } from './summaries/business.text.ts';
import { networkSummaries } from './summaries/network.text.ts';
import { siteSummaries } from './summaries/site.text.ts';
import { statisticsSummaries } from './summaries/statistics.text.ts';
import { systemSummaries } from './summaries/system.text.ts';

/** What some calls do, in Chinese. */
export type Summaries = Partial<Record<RouteName, string>>;

/**
 * What every call does, in Chinese; in English its route says it. They stand apart, and only the API description reads them,
 * so that browsers that load routes load no second sentence for each.
 */
const summaries: Record<RouteName, string> = {
  ...accountSummaries,
  ...businessSummaries,
  ...networkSummaries,
  ...siteSummaries,
  ...statisticsSummaries,
  ...systemSummaries,
};

const zh = {
  summary: (name: string, _english: string) => summaries[name as RouteName],
  about:
    '每个 JSON 响应均为 `{code, message, data}`；`code` 为 0 表示成功。' +
    '管理端口提供管理员的接口，用户端口提供客户和节点的接口。',
  idempotencyKey: '24 小时内，键、路径和请求体均相同的请求只执行一次；重复的请求返回第一次的响应。',
  file: (types: string, bytes: number) => `文件（${types}），最大 ${bytes} 字节。`,
  bodyMax: (bytes: number) => `最大 ${bytes} 字节。`,
  formMax: (names: string, bytes: number) => `${names}：按文件分别限制。其余字段合计最大 ${bytes} 字节。`,
  events: '服务器发送事件（SSE）；每个事件的 data 是一个此结构的 JSON 值。',
  accepted: '已接受。',
  fileAnswer: '文件；文件名见 `Content-Disposition`。',
  done: '成功。',
  errorEnvelope: '失败响应的结构。输入有误时，`errors` 指出相应的字段。',
  errorsOf: (names: readonly ErrorName[]) =>
    names.map((name) => `${errors[name].code}：${errors[name].zh}。`).join(''),
  session: '登录后返回的令牌。',
  node: (seconds: number) =>
    '`BW1-HMAC-SHA256 app_id=…, time=…, nonce=…, signature=…`：以节点密钥对请求方法、含查询参数的路径、时间、' +
    `nonce 和请求体的 SHA-256（每项一行）计算 HMAC-SHA256。时间误差不超过 ${seconds} 秒；nonce 只能使用一次。`,
  access: {
    public: {
      admin: '管理端口，无需登录。',
      user: '用户端口，无需登录。',
      both: '管理端口和用户端口，无需登录。',
    },
    admin: (permission: string) => `管理端口，管理员需要权限 \`${permission}\`。`,
    user: (permission: string) => `用户端口，客户需要权限 \`${permission}\`。`,
    both: (permission: string) =>
      `需要权限 \`${permission}\`。管理员使用管理端口；客户使用用户端口，只能看到自己的数据。`,
    ofWhole: '仅限部分站点的成员不可用。',
    signedIn: '管理端口和用户端口，登录后即可使用。',
    node: '用户端口，供边缘节点使用，以签名验证。',
  },
};

const en: typeof zh = {
  summary: (_name, english) => english,
  about:
    'Every JSON response is an envelope `{code, message, data}`; `code` is 0 on success. ' +
    'The admin port serves the calls of administrators, the user port those of customers and nodes.',
  idempotencyKey:
    'Requests with the same key, path and body within 24 hours are executed once; repeats return the first response.',
  file: (types, bytes) => `A file (${types}) of at most ${bytes} bytes.`,
  bodyMax: (bytes) => `At most ${bytes} bytes.`,
  formMax: (names, bytes) => `${names}: limited per file. All other fields together: at most ${bytes} bytes.`,
  events: 'Server-sent events; the data of each event is one JSON value of this shape.',
  accepted: 'Accepted.',
  fileAnswer: 'A file; its name is in `Content-Disposition`.',
  done: 'Done.',
  errorEnvelope: 'The envelope of a failed response. `errors` names the fields when the input is invalid.',
  errorsOf: (names) => names.map((name) => `${errors[name].code}: ${errors[name].en}.`).join(' '),
  session: 'The token returned by signing in.',
  node: (seconds) =>
    '`BW1-HMAC-SHA256 app_id=…, time=…, nonce=…, signature=…`: HMAC-SHA256 by the secret of the node over method, ' +
    'path with query, time, nonce and SHA-256 of the body, one a line. The time may be off by ' +
    `${seconds} seconds; a nonce can be used once.`,
  access: {
    public: {
      admin: 'No session required, on the admin port.',
      user: 'No session required, on the user port.',
      both: 'No session required, on the admin and the user port.',
    },
    admin: (permission) => `For administrators with the permission \`${permission}\`, on the admin port.`,
    user: (permission) => `For customers with the permission \`${permission}\`, on the user port.`,
    both: (permission) =>
      `Requires the permission \`${permission}\`. Administrators use the admin port; customers use the user port and see only their own data.`,
    ofWhole: ' Not available to members who are limited to certain sites.',
    signedIn: 'For all signed-in accounts, on the admin and the user port.',
    node: 'For edge nodes, authenticated by signature, on the user port.',
  },
};

/** What the API description says, besides the English summaries of routes. */
export const openApiText = { zh, en };
export type OpenApiText = typeof zh;
