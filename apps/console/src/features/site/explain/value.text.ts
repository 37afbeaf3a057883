import { defineText } from '../../../i18n/text.ts';

/** What facts of a trace hold that are words of the nodes: limits by name, and what lies in the cache. */
export const siteExplainValueText = defineText({
  zh: {
    limits: {
      url_bytes_max: 'URL 长度',
      header_lines_max: '请求头数量',
      header_line_bytes_max: '单个请求头大小',
      header_bytes_max: '请求头总大小',
      body_bytes_max: '上传大小',
      rate_per_address: '单个访客的请求频率',
      rate: '整个站点的请求频率',
      connections_per_address: '单个访客的并发请求',
      connections: '整个站点的并发请求',
      bandwidth: '整个站点的下行限速',
      bandwidth_per_address: '单个访客的下行限速',
      bandwidth_per_connection: '单个响应的下行限速',
    } as Record<string, string>,
    stored: { none: '无', fresh: '有', stale: '有，但已过期' },
  },
  en: {
    limits: {
      url_bytes_max: 'URL length',
      header_lines_max: 'number of headers',
      header_line_bytes_max: 'size of a header',
      header_bytes_max: 'total header size',
      body_bytes_max: 'upload size',
      rate_per_address: 'request rate per client',
      rate: 'request rate of the site',
      connections_per_address: 'concurrent requests per client',
      connections: 'concurrent requests of the site',
      bandwidth: 'bandwidth of the site',
      bandwidth_per_address: 'bandwidth per client',
      bandwidth_per_connection: 'bandwidth per response',
    },
    stored: { none: 'no', fresh: 'yes', stale: 'yes, expired' },
  },
});
