import type { DeliveryStatus, RefreshQuota, SiteRefreshMode, SiteRefreshType } from '@breakwater/contract';
import { counted } from '../../i18n/counted.ts';
import { defineText } from '../../i18n/text.ts';

type Labels<Key extends string, Label = string> = Record<Key, Label>;

export const siteRefreshText = defineText({
  zh: {
    title: '缓存刷新',
    subtitle: '让节点不再使用已缓存的内容，下次请求时回源获取新内容。',
    add: '刷新缓存',
    empty: '还没有刷新记录',
    emptyHint: '更新源站内容后，在此刷新对应的 URL、目录、标签或整个站点。',
    type: '类型',
    types: {
      clean_url: 'URL',
      clean_dir: '目录',
      clean_tag: '缓存标签',
      clean_site: '整站',
    } satisfies Labels<SiteRefreshType>,
    mode: '刷新方式',
    modes: { delete: '删除缓存', revalidate: '回源校验' } satisfies Labels<SiteRefreshMode>,
    modeHints: {
      delete: '已缓存的内容不再使用，下次请求时重新获取。',
      revalidate:
        '下次请求时向源站校验：内容未变（304）则继续使用缓存。没有 ETag 或 Last-Modified、超过 1 MiB 或分片缓存的内容会重新获取。',
    } satisfies Labels<SiteRefreshMode>,
    pattern: {
      add: '按正则刷新',
      site: '站点',
      pattern: '正则表达式',
      hint: '匹配路径与参数，例如 ^/images/.*\\.png。各节点列出已缓存的 URL，匹配的逐批刷新；最多 100,000 个。',
      rate: '每秒刷新 URL 数',
      rateHint: '数值越小，源站压力越小，用时越长。',
      saved: '已开始，可在任务中查看进度',
    },
    target: '刷新内容',
    wholeSite: '全部内容',
    more: (count: number) => `另有 ${count} 行`,
    count: '数量',
    site: '站点',
    sites: '站点',
    client: '客户',
    state: '状态',
    states: {
      none: '无节点',
      pending: '刷新中',
      applied: '已刷新',
      refused: '节点拒绝',
    } satisfies Labels<DeliveryStatus>,
    hints: {
      none: '此站点的线路组内没有节点',
      pending: '正在等待全部节点刷新',
      applied: '全部节点已刷新',
      refused: '有节点拒绝了此次刷新',
    } satisfies Labels<DeliveryStatus>,
    by: '操作人',
    platform: '平台',
    at: '提交时间',
    details: '查看详情',
    lines: { clean_url: 'URL', clean_dir: '目录', clean_tag: '缓存标签' },
    linesHints: {
      clean_url: (most: string) => `每行一个完整的 URL，最多 ${most} 个；http 与 https 同时刷新。`,
      clean_dir: (most: string) => `每行一个目录 URL，最多 ${most} 个；目录下的全部内容都会刷新。`,
      clean_tag: (most: string) =>
        `每行一个标签，最多 ${most} 个。标签由源站在响应头 Cache-Tag 或 Surrogate-Key 中给出，不区分大小写。`,
    },
    quotas: {
      refresh_urls_per_day: (left: string, limit: string) =>
        `24 小时内还可刷新 ${left} 个 URL，共 ${limit} 个。`,
      refresh_folders_per_day: (left: string, limit: string) =>
        `24 小时内还可刷新 ${left} 个目录、标签或站点，共 ${limit} 个。`,
      prefetch_urls_per_day: (left: string, limit: string) =>
        `24 小时内还可预热 ${left} 个 URL，共 ${limit} 个。`,
    } satisfies Labels<RefreshQuota, (left: string, limit: string) => string>,
    sitesHint: '站点的全部缓存都会失效，短时间内回源流量会明显增加。',
    refusedLines: (lines: string) => `以下各行有误：${lines}`,
    line: (line: number, message: string) => `第 ${line} 行：${message}`,
    saved: '已提交，等待节点生效',
    noNodes: '没有需要等待的节点',
    probe: {
      title: '验证节点内容',
      hint: '在每个节点上请求此 URL 两次。首次请求会使节点缓存该内容。',
      action: '验证',
      node: '节点',
      first: '第一次',
      second: '第二次',
      verdict: '结论',
      noAnswer: '无响应',
      fresh: '新内容',
      old: '刷新前的内容',
      unknown: '无法判断',
      ms: (value: string) => `${value} ms`,
    },
  },
  en: {
    title: 'Cache refresh',
    subtitle: 'Makes nodes drop cached content, so that the next request fetches it from the origin again.',
    add: 'Refresh cache',
    empty: 'No refreshes yet',
    emptyHint:
      'After you change content at the origin, refresh its URLs, folders, tags or the whole site here.',
    type: 'Type',
    types: { clean_url: 'URL', clean_dir: 'Folder', clean_tag: 'Cache tag', clean_site: 'Whole site' },
    mode: 'Mode',
    modes: { delete: 'Delete', revalidate: 'Revalidate' },
    modeHints: {
      delete: 'Cached content is no longer used; the next request fetches it again.',
      revalidate:
        'The next request asks the origin whether the content has changed, and keeps what is cached if not (304). Content without ETag or Last-Modified, larger than 1 MiB or cached in slices is fetched again.',
    },
    pattern: {
      add: 'Refresh by pattern',
      site: 'Site',
      pattern: 'Regular expression',
      hint: 'Matched against path and query, such as ^/images/.*\\.png. Nodes list the URLs they have cached, and those that match are refreshed in batches; at most 100,000.',
      rate: 'URLs per second',
      rateHint: 'Lower values put less load on the origin but take longer.',
      saved: 'Started; see Tasks for progress',
    },
    target: 'Content',
    wholeSite: 'Everything',
    more: (count: number) => `and ${count} more`,
    count: 'Count',
    site: 'Site',
    sites: 'Sites',
    client: 'Customer',
    state: 'Status',
    states: { none: 'No nodes', pending: 'Refreshing', applied: 'Refreshed', refused: 'Rejected by a node' },
    hints: {
      none: 'The line group of this site has no nodes',
      pending: 'Waiting for all nodes to refresh',
      applied: 'All nodes have refreshed',
      refused: 'A node rejected this refresh',
    },
    by: 'By',
    platform: 'Platform',
    at: 'Submitted',
    details: 'View details',
    lines: { clean_url: 'URLs', clean_dir: 'Folders', clean_tag: 'Cache tags' },
    linesHints: {
      clean_url: (most: string) => `One full URL per line, at most ${most}. Refreshes both http and https.`,
      clean_dir: (most: string) =>
        `One folder URL per line, at most ${most}. Everything below a folder is refreshed.`,
      clean_tag: (most: string) =>
        `One tag per line, at most ${most}. Origins set tags in the response header Cache-Tag or Surrogate-Key; tags are case-insensitive.`,
    },
    quotas: {
      refresh_urls_per_day: (left: string, limit: string) =>
        `${left} of ${counted(limit, 'URL')} left to refresh within 24 hours.`,
      refresh_folders_per_day: (left: string, limit: string) =>
        `${left} of ${limit} folders, tags and sites left to refresh within 24 hours.`,
      prefetch_urls_per_day: (left: string, limit: string) =>
        `${left} of ${counted(limit, 'URL')} left to prefetch within 24 hours.`,
    },
    sitesHint: 'Everything cached for the sites expires. Traffic to the origin rises noticeably for a while.',
    refusedLines: (lines: string) => `Check these lines: ${lines}`,
    line: (line: number, message: string) => `line ${line}: ${message}`,
    saved: 'Submitted; deploying to the nodes',
    noNodes: 'No nodes to wait for',
    probe: {
      title: 'Verify content on nodes',
      hint: 'Requests this URL twice on each node. The first request makes the node cache it.',
      action: 'Verify',
      node: 'Node',
      first: 'First request',
      second: 'Second request',
      verdict: 'Result',
      noAnswer: 'No response',
      fresh: 'New content',
      old: 'From before the refresh',
      unknown: 'Unknown',
      ms: (value: string) => `${value} ms`,
    },
  },
});
