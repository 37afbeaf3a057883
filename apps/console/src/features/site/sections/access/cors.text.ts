import { defineText } from '../../../../i18n/text.ts';

export const siteCorsText = defineText({
  zh: {
    title: '跨域（CORS）',
    hint: '允许其他网站的脚本读取此站点的响应。预检请求由节点直接响应，源站的 CORS 响应头会被替换。',
    enabled: '由节点管理 CORS',
    origins: '允许的来源',
    originsHint: '例如 https://app.example.com；https://*.example.com 匹配全部子域名；* 匹配任何来源',
    methods: '允许的方法',
    methodsHint: '用于预检请求',
    headers: '允许的请求头',
    headersHint: '除简单请求头以外的请求头；* 匹配任何请求头',
    exposed: '暴露的响应头',
    exposedHint: '脚本可额外读取的响应头',
    maxAge: '预检缓存时长',
    maxAgeHint: '浏览器在此时间内不再发送预检请求',
    credentials: '允许携带凭据',
    credentialsHint: 'Cookie 和 HTTP 认证。开启时必须列出来源，不能使用 *。',
  },
  en: {
    title: 'CORS',
    hint: 'Lets scripts of other sites read responses from this site. Nodes answer preflight requests; CORS headers of the origin are replaced.',
    enabled: 'Manage CORS at the edge',
    origins: 'Allowed origins',
    originsHint:
      'Such as https://app.example.com; https://*.example.com matches all subdomains, * any origin',
    methods: 'Allowed methods',
    methodsHint: 'For preflight requests',
    headers: 'Allowed request headers',
    headersHint: 'In addition to the CORS-safelisted headers; * allows any',
    exposed: 'Exposed response headers',
    exposedHint: 'Additional response headers that scripts can read',
    maxAge: 'Preflight cache duration',
    maxAgeHint: 'Browsers do not repeat the preflight request within this time',
    credentials: 'Allow credentials',
    credentialsHint: 'Cookies and HTTP authentication. Requires listing the origins; * is not allowed.',
  },
});
