import type { Summaries } from '../openapi.text.ts';

const read = (setting: string) => `获取${setting}。`;
const write = (setting: string) => `修改${setting}。须提交修改所依据的版本。`;
const consoleSetting = '控制台设置：登录页文字、横幅、默认语言和客户注册';
const limits = '单个账号的请求限额';
const platformHttps = '控制台和节点 API 的 HTTPS：使用的证书，以及是否从 HTTP 跳转';
const logPrivacy = '访问日志中需要屏蔽其值的参数，作用于之后的日志';
const logShipping = '日志推送：节点除主控外还将访问日志发送到何处';
const vulnerabilities = '已知漏洞规则的更新地址，以及受信任的签名公钥';
const waf = '封禁 IP 的方式：时长、屡犯加倍、永不封禁的 IP';
const retention = '操作日志、任务、站点版本、批量操作和动态的保留天数';
const siteSetting = '站点设置：CNAME 域名，以及域名的检查方式';
const sitePorts = '站点除节点默认端口外可使用的端口；已在使用的端口不受影响';

/** The platform: its settings, its work, its records, and what the console asks besides. */
export const systemSummaries = {
  listActivity:
    '查询一个对象的动态，或自己有权查看的全部动态，最新的在前。将返回的 `next` 作为 `before` 可获取下一页。',
  getIpData: '获取位置和网络数据各部分的来源，以及由此生成的数据。',
  getKnownVulnerabilities: '获取正在使用的已知漏洞规则版本及其规则。',
  uploadKnownVulnerabilities: '上传已签名的已知漏洞规则文件，检查后下发到节点。',
  fetchKnownVulnerabilities: '立即从更新地址获取已知漏洞规则。失败时返回原因，并继续使用现有版本。',
  restoreKnownVulnerabilities: '恢复为本版本内置的已知漏洞规则。',
  getVulnerabilitySetting: read(vulnerabilities),
  updateVulnerabilitySetting: write(vulnerabilities),
  uploadIpFile: '上传 MaxMind DB 文件（可为 gzip）并检查内容，不会启用。',
  fetchIpFile: '从 URL 下载 MaxMind DB 文件并检查内容，不会启用。',
  useIpFile: '为一个部分启用已检查的文件，并将新数据下发到节点。',
  removeIpFile: '将一个部分恢复为内置数据。',
  refreshIpFile: '立即从 URL 更新一个部分。失败时返回原因，并继续使用上一份。',
  getSystemInfo: '获取主控的版本、启动时间和主机状态。',
  reportConsoleFault: '上报控制台中未被处理的错误。计入统计，并写入服务器日志。',
  listTasks: '查询任务，最新的在前。',
  removeTasks: '删除指定时间之前结束的任务及其子任务。删除本身也是一个任务。',
  getTaskStats: '按状态和类型统计任务数量。',
  getTaskActions: '查询各任务类型及其任务数量，多的在前。',
  listRunningTasks: '查询等待中和进行中的任务，最新的在前。',
  getWork: '获取自己有权查看的、正在进行和刚结束的工作，最新的在前；客户只能看到自己的。',
  getSchedules: '查询定时任务的下次执行时间和上次结果。',
  getTask: '获取任务。',
  retryTask: '重试任务中失败和已取消的子任务。对于下发，会将文档重新发送到拒绝它的节点。',
  cancelTask: '取消任务。已完成的部分保留。下发不能取消。',
  listSubTasks: '查询任务的子任务：每个节点与文档，或每个处理项各一个。',
  listOperationLogs: '查询操作日志，最新的在前。',
  getLogShipping: read(logShipping),
  updateLogShipping: write(logShipping),
  getLogShippingNodes: '获取各节点的日志推送进度。',
  testLogShipping: '由一个节点向配置的接收端发送一行测试日志，返回错误（如有）。',
  getLogPrivacy: read(logPrivacy),
  updateLogPrivacy: write(logPrivacy),
  getWafSetting: read(waf),
  updateWafSetting: write(waf),
  getRetention: read(retention),
  updateRetention: write(retention),
  getAccountLimits: read(limits),
  updateAccountLimits: write(limits),
  getPlatformHttps: read(platformHttps),
  updatePlatformHttps: write(platformHttps),
  getSettings: '获取自己有权查看的全部设置及其版本。',
  getConsoleSetting: read(consoleSetting),
  updateConsoleSetting: write(consoleSetting),
  getSiteSetting: read(siteSetting),
  updateSiteSetting: write(siteSetting),
  getSitePortSetting: read(sitePorts),
  updateSitePortSetting: write(sitePorts),
  getLogStoreInfo: '获取日志库的引擎、健康状态、大小和剩余空间。',
  listLogIndices: '查询日志库的索引，或其文件中的日期和表，最新的在前。',
  getLogPolicy: '获取日志和统计数据的保留时间、各阶段，以及接下来要删除的内容。',
  updateLogPolicy: '修改日志和每分钟统计数据的保留时间。',
  getLogStoreConnection: '获取日志库的地址，不含账号密码。',
  testLogStore: '测试日志库的读取和写入。',
  search:
    '按域名搜索站点，按名称或 IP 搜索节点，按名称或邮箱搜索客户，按编号搜索订单。客户只能搜索到自己的。',
  getMenu: '获取自己的菜单，语言由 Accept-Language 决定。',
  listNodeWafMatchers: '按顺序查询全局防护规则，以及修改时需提供的版本号。',
  getNodeWafClasses: '查询规则模板适用的软件类型，以及各类模板的数量。',
  getNodeWafMatcherSetting: '一次获取全部全局防护规则。',
  updateNodeWafMatcherSetting: '按给定顺序一次设置全部全局防护规则。',
  applyNodeWafMatchers: '把模板中的规则追加到全局防护规则，并下发到所有节点。',
  getNodeWafMatcher: '按编号获取一条全局防护规则。',
  createNodeWafMatcher: '追加一条全局防护规则。',
  updateNodeWafMatcher: '修改一条全局防护规则。',
  removeNodeWafMatcher: '删除一条全局防护规则。',
  listWafMatchers: '按名称查询规则模板。',
  listDomainNameBlacklist: '查询禁止添加的域名，最新的在前。',
  getDomainNameBlacklistEntry: '查询一条域名黑名单。',
  createDomainNameBlacklistEntry: '将域名或通配规则加入黑名单，随后由任务查找使用此类域名的站点。',
  updateDomainNameBlacklistEntry: '修改一条域名黑名单，随后重新查找站点。',
  removeDomainNameBlacklistEntry: '删除一条域名黑名单，以及由它找到的记录。',
  listBlacklistHits: '查询站点中属于黑名单的域名，最新的在前。',
  decideBlacklistHit: '处理站点中属于黑名单的域名：暂停站点、忽略，或恢复为待处理。',
  createWafMatcher: '创建规则模板。',
  getWafMatcher: '获取规则模板。',
  updateWafMatcher: '修改规则模板。',
  removeWafMatcher: '删除规则模板。',
} satisfies Summaries;
