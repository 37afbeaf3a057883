import type {
  GuardAction,
  GuardBaseline,
  GuardCount,
  GuardKeyPart,
  GuardMode,
  GuardReason,
  GuardRule,
} from '@breakwater/contract';
import type { GuardPreset } from '@breakwater/policy/protect/guard-modes';
import { counted } from '../../../../i18n/counted.ts';
import { defineText } from '../../../../i18n/text.ts';

interface LimitWords {
  seconds: string;
  requests: number;
  what: string;
  action: string;
  hold: string;
}

type Lacking = Pick<GuardBaseline, 'known_hours' | 'needed_hours' | 'requests' | 'needed_requests'>;
type Usual = NonNullable<GuardBaseline['learned']>['site'];
type UsualVisitor = NonNullable<NonNullable<GuardBaseline['learned']>['visitor']>;

/** The hours with the most and the fewest requests, each with its rate. */
function ofHours(
  hours: readonly (number | null)[],
  say: (most: number, rate: number, least: number, low: number) => string,
): string {
  const known = hours.flatMap((rate, hour) => (rate === null ? [] : [{ hour, rate }]));
  const [least, most] = [0, -1].map((place) =>
    known.toSorted((one, other) => one.rate - other.rate).at(place),
  );
  return least && most ? say(most.hour, most.rate, least.hour, least.rate) : '';
}

export const siteGuardText = defineText({
  zh: {
    title: 'CC 防护',
    hint: '统计每个访客的请求，超过阈值时验证、限速或封禁；站点遭受攻击时自动要求全部访客先通过验证。不确定时选择“标准”。',
    mode: '模式',
    modes: {
      off: '关闭',
      watch: '仅记录',
      normal: '标准',
      strict: '严格',
      under_attack: '正在遭受攻击',
    } satisfies Record<GuardMode, string>,
    modeHints: {
      off: '不统计，不处理；此页的规则也不生效',
      watch: '只在访问日志中记录，此页的规则也只记录',
      normal: '适合大多数站点',
      strict: '适合经常遭受攻击的站点；共用出口 IP 的访客可能需要验证',
      under_attack: '全部访客须先通过浏览器验证；程序和接口无法通过，请将其路径加入例外',
    } satisfies Record<GuardMode, string>,
    limits: '此模式的阈值',
    acrossNodes: '线路组内各节点合并统计，约 1 秒内同步。',
    limit: ({ seconds, requests, what, action, hold }: LimitWords) =>
      `同一 IP 在 ${seconds}内${what}超过 ${requests} 次：${action}，持续 ${hold}`,
    whats: {
      visitor: '请求',
      flood: '请求',
      origin: '回源',
      not_found: '请求不存在的页面（404）',
    } satisfies Record<GuardPreset, string>,
    challengesAll: '全部访客：JavaScript 验证',
    exempt: '例外',
    exceptPaths: '不防护的路径',
    exceptPathsHint: '例如接口和回调；末尾的 * 匹配其后的任意内容',
    addresses: '不防护的 IP',
    addressesHint: 'IP 或 CIDR',
    robots: '不处理已验证的搜索引擎爬虫',
    escalationTitle: '自动升级',
    escalationHint:
      '任一指标超过阈值后数秒内升级：先是 JavaScript 验证，仍无效时改为工作量证明。只有某个 URL 遭受攻击时，仅该 URL 需要验证。在“标准”和“严格”模式下生效。',
    escalation: '遭受攻击时自动要求全部访客验证',
    siteRate: '整站每秒请求数',
    urlRate: '单个 URL 每秒请求数',
    errors: '源站错误比例（%）',
    errorsHint: '5xx 占回源请求的比例，至少 20 次回源才计算',
    slow: '源站平均响应时间（毫秒）',
    originRequests: '源站同时处理的请求数',
    originRequestsHint: '按最近几秒完成的请求平均计算',
    quiet: '恢复时间',
    quietHint: '各项指标均低于阈值的一半并持续此时间后，降低一级',
    perNodeRates: '以上均为单个节点的数值。',
    learn: '阈值建议',
    learnHint: '按最近 14 天的访问统计找出正常高峰，建议的阈值为高峰的 3 倍。',
    learnNow: '查看建议',
    tooLittle: ({ known_hours: hours, needed_hours: needed, requests, needed_requests: least }: Lacking) =>
      `统计数据不足：已有 ${hours} 小时、${requests} 次请求，至少需要 ${needed} 小时、${least} 次请求。`,
    busiest: '正常高峰：',
    byHour: (hours: readonly (number | null)[]) =>
      ofHours(
        hours,
        (most, rate, least, low) =>
          `一天中 ${most} 时（UTC）请求最多，平均每秒 ${rate} 次；${least} 时最少，平均每秒 ${low} 次。`,
      ),
    rateReason: ({ rate, suggested }: Usual, percent: number) =>
      `建议 ${suggested}：高峰时请求最多的节点（占全部请求的 ${percent}%）每秒约 ${rate} 次。`,
    urlReason: ({ rate, suggested }: Usual) => `建议 ${suggested}：高峰时请求最多的 URL 每秒约 ${rate} 次。`,
    visitorRule: '单个访客（新增规则）',
    visitorReason: ({ requests, period_seconds: seconds, suggested }: UsualVisitor) =>
      `建议同一 IP 在 ${seconds} 秒内超过 ${suggested} 次时验证：高峰时请求最多的访客在 ${seconds} 秒内请求了 ${requests} 次。`,
    learnedNote: '按历史流量建议',
    use: '使用',
    used: '已填入',
    rules: '自定义规则',
    rulesHint: '先于模式的阈值，从上到下匹配。限速、拦截和封禁会结束匹配。',
    noRules: '没有自定义规则，只按模式的阈值处理。',
    addRule: '添加规则',
    enabled: '启用',
    note: '名称',
    conditionHint: '不设置则统计全部请求',
    count: '统计内容',
    counts: { requests: '全部请求', origin: '仅回源请求', answers: '按响应' } satisfies Record<
      GuardCount,
      string
    >,
    statuses: '状态码',
    statusesHint: '例如 404 或 5xx；同时设置的各项须全部满足',
    misses: '仅统计未命中缓存的响应',
    slowerThan: '响应时间超过（毫秒）',
    slowerThanHint: '源站的响应时间；留空为不限',
    key: '统计对象',
    keyHint: '最多组合 3 项；不添加则全部请求合并统计。请求中缺少某项时，以其 IP 代替。',
    addKey: '添加统计对象',
    keyRow: (part: string) => `统计对象：${part}`,
    parts: {
      address: '访客 IP',
      network: '网段（/24，IPv6 /48）',
      header: '请求头',
      cookie: 'Cookie',
      argument: '查询参数',
      ja4: 'TLS 指纹（JA4）',
    } satisfies Record<GuardKeyPart, string>,
    keyName: '名称',
    counted: (what: string, by: string) => `${what}，统计对象：${by}`,
    together: (what: string) => `${what}，合并统计`,
    togetherTitle: '全部请求合并统计',
    togetherWarning: '超过阈值后，处理全部访客的请求，而不只是某个访客。如需按访客处理，请添加统计对象。',
    requests: '请求数',
    period: '统计周期',
    periodHint: '滑动窗口，线路组内各节点合并统计',
    scope: '范围',
    scopes: { site: '整站', url: '每个 URL 分别统计和处理' } satisfies Record<GuardRule['scope'], string>,
    action: '超过后',
    actions: {
      observe: '仅记录',
      challenge: '浏览器验证',
      limit: '限速（429）',
      block: '拦截（403）',
      ban: '封禁 IP',
    } satisfies Record<GuardAction, string>,
    challenge: '验证方式',
    challengeOf: (action: string, kind: string) => `${action}（${kind}）`,
    banScope: '封禁范围',
    banScopes: { site: '此站点', client: '客户的全部站点' } satisfies Record<GuardRule['ban_scope'], string>,
    hold: '持续时间',
    summary: ({ seconds, requests, what, action, hold }: LimitWords) =>
      `${seconds}内超过 ${requests} 次（${what}）→ ${action}，${hold}`,
    only: '仅',
    attack: '紧急防护',
    attackHint: '立即要求全部访客通过验证，到期后自动恢复为下方所选的模式。',
    attackOff: '未开启',
    attackOn: (left: string) => `已开启，剩余 ${left}`,
    attackLeft: (hours: number, minutes: number) =>
      hours === 0 ? `${minutes} 分钟` : `${hours} 小时 ${minutes} 分钟`,
    attackStart: '开启紧急防护',
    attackEnd: '结束紧急防护',
    attackTime: '时长',
    attackTimes: { '1800': '30 分钟', '3600': '1 小时', '21600': '6 小时', '86400': '24 小时' } as Record<
      string,
      string
    >,
    attackUntil: '紧急防护截止时间',
    saveFirst: '请先保存或放弃当前修改',
    now: '当前状态',
    nowHint: '自动刷新。',
    calm: '没有正在遭受攻击的 URL',
    calmHint: '自动升级后，遭受攻击的 URL 或整站会显示在这里。',
    place: '遭受攻击',
    wholeSite: '整站',
    level: '级别',
    levels: { '0': '正常', '1': 'JavaScript 验证', '2': '工作量证明' } as Record<string, string>,
    since: '开始时间',
    node: '节点',
    reason: '原因',
    steps: '升级与恢复记录',
    stepsHint: '保留 30 天。',
    noSteps: '没有记录',
    noStepsHint: '自动升级或恢复时会记录在这里。',
    time: '时间',
    change: '变化',
    because: {
      requests: (value: number, limit: number) => `每秒 ${value} 次请求，超过 ${limit}`,
      passed: (value: number, limit: number) => `每秒 ${value} 次请求通过验证，超过 ${limit}`,
      errors: (value: number, limit: number) => `源站错误 ${value}%，达到 ${limit}%`,
      slow: (value: number, limit: number) => `源站平均响应 ${value} 毫秒，超过 ${limit} 毫秒`,
      origin_requests: (value: number, limit: number) => `源站同时处理 ${value} 个请求，超过 ${limit}`,
      urls: (_value: number, limit: number) => `遭受攻击的 URL 超过 ${limit} 个`,
      quiet: (_value: number, limit: number) => `已平静 ${limit} 秒`,
      off: () => '防护已关闭、模式已更改，或节点已重启、离线',
    } satisfies Record<GuardReason, (value: number, limit: number) => string>,
  },
  en: {
    title: 'CC protection',
    hint: 'Counts the requests of each visitor and challenges, limits or blocks those above a threshold. While the site is under attack, all visitors are challenged automatically. If in doubt, choose Standard.',
    mode: 'Mode',
    modes: {
      off: 'Off',
      watch: 'Log only',
      normal: 'Standard',
      strict: 'Strict',
      under_attack: 'Under attack',
    },
    modeHints: {
      off: 'Nothing is counted, and the rules on this page do nothing',
      watch: 'Only recorded in the access log; the rules on this page only log as well',
      normal: 'For most sites',
      strict: 'For sites that are attacked often; visitors who share an IP may be challenged',
      under_attack:
        'All visitors must pass a browser challenge. Programs and API clients cannot: add their paths as exceptions',
    },
    limits: 'Thresholds of this mode',
    acrossNodes: 'Counted across all nodes of the line group, in sync within about a second.',
    limit: ({ seconds, requests, what, action, hold }) =>
      `More than ${requests} ${what} from one IP within ${seconds}: ${action}, for ${hold}`,
    whats: {
      visitor: 'requests',
      flood: 'requests',
      origin: 'requests that go to the origin',
      not_found: 'requests for missing pages (404)',
    },
    challengesAll: 'All visitors: JavaScript challenge',
    exempt: 'Exceptions',
    exceptPaths: 'Unprotected paths',
    exceptPathsHint: 'Such as APIs and callbacks; a * at the end matches anything after it',
    addresses: 'Unprotected IPs',
    addressesHint: 'IP addresses or CIDRs',
    robots: 'Skip verified search engine bots',
    escalationTitle: 'Automatic escalation',
    escalationHint:
      'Steps up within seconds once a threshold is crossed: first a JavaScript challenge, then proof of work if that does not help. If only one URL is attacked, only that URL is challenged. Active in Standard and Strict modes.',
    escalation: 'Challenge all visitors while under attack',
    siteRate: 'Requests per second, whole site',
    urlRate: 'Requests per second, one URL',
    errors: 'Origin errors (%)',
    errorsHint: '5xx as a share of origin requests; needs at least 20 of them',
    slow: 'Average origin response time (ms)',
    originRequests: 'Concurrent origin requests',
    originRequestsHint: 'Averaged over the requests completed in the last few seconds',
    quiet: 'Cool-down',
    quietHint:
      'Steps down one level after all metrics have stayed below half of their thresholds for this long',
    perNodeRates: 'All values above are per node.',
    learn: 'Suggested thresholds',
    learnHint:
      'Finds the usual peak in the statistics of the last 14 days and suggests three times that as the threshold.',
    learnNow: 'Show suggestions',
    tooLittle: ({ known_hours: hours, needed_hours: needed, requests, needed_requests: least }) =>
      `Not enough statistics yet: ${counted(hours, 'hour')} and ${counted(requests, 'request')} so far; at least ${needed} hours and ${least} requests are needed.`,
    busiest: 'Usual peak:',
    byHour: (hours) =>
      ofHours(
        hours,
        (most, rate, least, low) =>
          `Busiest hour of the day: ${most}:00 UTC with ${counted(rate, 'request')} per second on average; quietest: ${least}:00 UTC with ${low}.`,
      ),
    rateReason: ({ rate, suggested }, percent) =>
      `${suggested} suggested: at the peak, the busiest node (${percent}% of all requests) gets about ${counted(rate, 'request')} per second.`,
    urlReason: ({ rate, suggested }) =>
      `${suggested} suggested: at the peak, the most requested URL gets about ${counted(rate, 'request')} per second.`,
    visitorRule: 'One visitor (adds a rule)',
    visitorReason: ({ requests, period_seconds: seconds, suggested }) =>
      `Challenge above ${counted(suggested, 'request')} from one IP within ${counted(seconds, 'second')}: at the peak, the busiest visitor made ${requests}.`,
    learnedNote: 'Suggested from past traffic',
    use: 'Use',
    used: 'Filled in',
    rules: 'Custom rules',
    rulesHint:
      'Evaluated from top to bottom, before the thresholds of the mode. Limit, block and ban end the evaluation.',
    noRules: 'No custom rules: only the thresholds of the mode apply.',
    addRule: 'Add rule',
    enabled: 'Enabled',
    note: 'Name',
    conditionHint: 'Without one, all requests are counted',
    count: 'Count',
    counts: { requests: 'All requests', origin: 'Requests to the origin', answers: 'By response' },
    statuses: 'Status codes',
    statusesHint: 'Such as 404 or 5xx; all settings here must match',
    misses: 'Cache misses only',
    slowerThan: 'Response time above (ms)',
    slowerThanHint: 'Response time of the origin. Leave empty for any.',
    key: 'Counted by',
    keyHint:
      'Combine up to 3. Without a key, all requests are counted together. If a request lacks one, its IP is used instead.',
    addKey: 'Add key',
    keyRow: (part: string) => `Key: ${part}`,
    parts: {
      address: 'Client IP',
      network: 'Network (/24, IPv6 /48)',
      header: 'Header',
      cookie: 'Cookie',
      argument: 'Query parameter',
      ja4: 'TLS fingerprint (JA4)',
    },
    keyName: 'Name',
    counted: (what: string, by: string) => `${what}, counted by ${by}`,
    together: (what: string) => `${what}, all visitors together`,
    togetherTitle: 'All visitors are counted together',
    togetherWarning:
      'Above the threshold, this acts on the requests of all visitors, not just one. To act on individual visitors, add a key.',
    requests: 'Requests',
    period: 'Period',
    periodHint: 'Sliding window, counted across all nodes of the line group',
    scope: 'Scope',
    scopes: { site: 'Whole site', url: 'Each URL separately' },
    action: 'When exceeded',
    actions: {
      observe: 'Log only',
      challenge: 'Browser challenge',
      limit: 'Rate limit (429)',
      block: 'Block (403)',
      ban: 'Block IP',
    },
    challenge: 'Challenge',
    challengeOf: (action: string, kind: string) => `${action} (${kind})`,
    banScope: 'Block scope',
    banScopes: { site: 'This site', client: 'All sites of the customer' },
    hold: 'Duration',
    summary: ({ seconds, requests, what, action, hold }) =>
      `More than ${requests} in ${seconds} (${what}) → ${action}, ${hold}`,
    only: 'Only ',
    attack: 'Emergency protection',
    attackHint:
      'Challenges all visitors immediately and returns to the selected mode automatically when the time is up.',
    attackOff: 'Off',
    attackOn: (left: string) => `On, ${left} left`,
    attackLeft: (hours: number, minutes: number) =>
      hours === 0 ? `${minutes} min` : `${hours} h ${minutes} min`,
    attackStart: 'Turn on emergency protection',
    attackEnd: 'End emergency protection',
    attackTime: 'Duration',
    attackTimes: { '1800': '30 minutes', '3600': '1 hour', '21600': '6 hours', '86400': '24 hours' },
    attackUntil: 'End of emergency protection',
    saveFirst: 'Save or discard your changes first',
    now: 'Current state',
    nowHint: 'Refreshes automatically.',
    calm: 'No URL is under attack',
    calmHint: 'After an automatic escalation, the attacked URLs or the whole site show up here.',
    place: 'Under attack',
    wholeSite: 'Whole site',
    level: 'Level',
    levels: { '0': 'Normal', '1': 'JavaScript challenge', '2': 'Proof of work' },
    since: 'Since',
    node: 'Node',
    reason: 'Reason',
    steps: 'Escalation history',
    stepsHint: 'Kept for 30 days.',
    noSteps: 'No history',
    noStepsHint: 'Automatic escalations and recoveries show up here.',
    time: 'Time',
    change: 'Change',
    because: {
      requests: (value, limit) => `${counted(value, 'request')} per second, above ${limit}`,
      passed: (value, limit) =>
        `${counted(value, 'request')} per second passed the challenge, above ${limit}`,
      errors: (value, limit) => `Origin errors at ${value}%, threshold ${limit}%`,
      slow: (value, limit) => `Origin takes ${value} ms on average, above ${limit} ms`,
      origin_requests: (value, limit) => `${counted(value, 'concurrent origin request')}, above ${limit}`,
      urls: (_value, limit) => `More than ${limit} URLs are under attack`,
      quiet: (_value, limit) => `Quiet for ${counted(limit, 'second')}`,
      off: () => 'Protection was turned off or its mode changed, or the node restarted or is offline',
    },
  },
});
