import { defineText } from '../../../i18n/text.ts';

/** What facts of a trace hold that are words of the nodes: limits by name, and what lies in the cache. */
export const siteExplainValueText = defineText({
  zh: {
    limits: {
      url_bytes_max: '网址长度',
      header_lines_max: '请求头行数',
      header_line_bytes_max: '单行请求头',
      header_bytes_max: '全部请求头',
      body_bytes_max: '上传大小',
      rate_per_address: '单个访客的请求频率',
      rate: '整个站点的请求频率',
      connections_per_address: '单个访客同时进行的请求',
      connections: '整个站点同时进行的请求',
      bandwidth: '整个站点的下行速度',
      bandwidth_per_address: '单个访客的下行速度',
      bandwidth_per_connection: '单个响应的下行速度',
    } as Record<string, string>,
    stored: { none: '没有', fresh: '有', stale: '有，但已过期' } as Record<string, string>,
    servers: { in: '正常', out: '异常，暂不使用' } as Record<string, string>,
    weight: (weight: string) => `权重 ${weight}`,
  },
  en: {
    limits: {
      url_bytes_max: 'length of the address',
      header_lines_max: 'lines of the header',
      header_line_bytes_max: 'one line of the header',
      header_bytes_max: 'all of the header',
      body_bytes_max: 'upload size',
      rate_per_address: 'requests of one visitor',
      rate: 'requests to the whole site',
      connections_per_address: 'requests of one visitor at the same time',
      connections: 'requests to the site at the same time',
      bandwidth: 'download speed of the whole site',
      bandwidth_per_address: 'download speed to one visitor',
      bandwidth_per_connection: 'download speed of one answer',
    },
    stored: { none: 'no', fresh: 'yes', stale: 'yes, expired' },
    servers: { in: 'healthy', out: 'unhealthy, not used now' },
    weight: (weight: string) => `weight ${weight}`,
  },
});
