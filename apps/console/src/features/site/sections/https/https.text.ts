import type { CertificateSettings, CipherLevel, ClientCertificate } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

type Labels<Key extends string> = Record<Key, string>;

/** Texts of the HTTPS settings of a site. */
export const siteHttpsText = defineText({
  zh: {
    conditionHint: '仅满足条件的请求会跳转；如需排除某些请求，请将条件取反。',
    force: '强制 HTTPS',
    forceHint: '将 HTTP 请求跳转到 HTTPS；证书签发的验证请求（/.well-known/acme-challenge/）不跳转。',
    forceEnabled: '将 HTTP 跳转到 HTTPS',
    status: '跳转状态码',
    statuses: {
      301: '301 永久',
      302: '302 临时',
      307: '307 临时，保留请求方法',
      308: '308 永久，保留请求方法',
    } satisfies Record<CertificateSettings['force_https']['status'], string>,
    port: 'HTTPS 端口',
    portHint: '访客访问 HTTPS 的端口；443 不会写入 URL。',
    only: '仅这些域名',
    onlyHint: '留空为本站点全部域名；支持 *.example.com。',
    except: '排除这些域名',
    exceptHint: '这些域名仍可通过 HTTP 访问；优先于“仅这些域名”。',
    hsts: 'HSTS',
    hstsHint: '要求浏览器在有效期内只通过 HTTPS 访问。仅在 HTTPS 响应中发送，并替换源站的同名响应头。',
    hstsEnabled: '启用 HSTS',
    hstsAdvice:
      '已将 HTTP 跳转到 HTTPS，建议启用 HSTS：浏览器此后直接使用 HTTPS，不再发出可能被劫持的明文请求。',
    maxAge: '有效期',
    maxAgeHint: '建议先设置较短的时间；设为 0 可撤销。',
    subdomains: '包含子域名',
    subdomainsHint: '开启前请确认所有子域名都支持 HTTPS。',
    preload: '允许预加载',
    preloadHint: '可申请加入浏览器预加载名单；需要包含子域名且有效期至少一年，难以撤回。',
    protocol: 'TLS 版本与加密套件',
    protocolHint: '自定义设置仅对以本站点域名建立的连接生效；通过其他域名的连接访问本站点返回 421。',
    min: '最低版本',
    max: '最高版本',
    level: '加密套件',
    levelHint: '适用于 TLS 1.2 及以下；TLS 1.3 的套件均为安全套件。TLS 1.0 与 1.1 需要选择“旧设备”。',
    levels: {
      modern: '现代（仅前向保密的 AEAD 套件）',
      compatible: '兼容（旧客户端）',
      old: '旧设备（含 RSA 密钥交换与 SHA-1）',
    } satisfies Labels<CipherLevel>,
    stapling: 'OCSP 装订',
    staplingHint:
      '节点查询证书状态并随握手发送。证书没有 OCSP 地址，或同一域名同时使用 RSA 与 ECDSA 证书时不生效。',
    client: '客户端证书',
    clientHint: '要求访客出示指定 CA 签发的证书。',
    mode: '验证方式',
    modes: {
      off: '关闭',
      optional: '可选：出示时验证',
      require: '必须：没有有效证书返回 403，且不允许 HTTP 访问',
    } satisfies Labels<ClientCertificate['mode']>,
    ca: 'CA 证书（PEM）',
    caHint: '一个或多个 CA 证书，依次粘贴。',
    depth: '证书链深度',
    depthHint: '访客证书与 CA 之间的最大证书数。',
    pass: '将证书信息发送给源站',
    passHint:
      '通过请求头 X-Client-Verify、X-Client-Subject、X-Client-Fingerprint 发送，访客无法伪造。带有效证书的请求不使用缓存。',
    always: 'HTTP/2 在所有 HTTPS 端口上始终开启。',
  },
  en: {
    conditionHint: 'Only matching requests are redirected. To exclude some requests, negate the condition.',
    force: 'Force HTTPS',
    forceHint:
      'Redirects HTTP requests to HTTPS. Certificate challenges (/.well-known/acme-challenge/) are never redirected.',
    forceEnabled: 'Redirect HTTP to HTTPS',
    status: 'Redirect status code',
    statuses: {
      301: '301 permanent',
      302: '302 temporary',
      307: '307 temporary, keeps the method',
      308: '308 permanent, keeps the method',
    },
    port: 'HTTPS port',
    portHint: 'The port visitors use for HTTPS. 443 is omitted from the URL.',
    only: 'Only these domains',
    onlyHint: 'Leave empty for all domains of this site. *.example.com is supported.',
    except: 'Except these domains',
    exceptHint: 'These domains stay available over HTTP. Takes precedence over “Only these domains”.',
    hsts: 'HSTS',
    hstsHint:
      'Tells browsers to use HTTPS only. Sent over HTTPS only, and replaces the header of the origin.',
    hstsEnabled: 'Enable HSTS',
    hstsAdvice:
      'HTTP is redirected to HTTPS. Enable HSTS as well, so that browsers use HTTPS from then on and send no plaintext requests that could be hijacked.',
    maxAge: 'Max age',
    maxAgeHint: 'Start with a short time; 0 revokes HSTS.',
    subdomains: 'Include subdomains',
    subdomainsHint: 'Make sure all subdomains support HTTPS.',
    preload: 'Allow preload',
    preloadHint:
      'Allows submission to browser preload lists. Requires subdomains and a max age of at least one year; hard to undo.',
    protocol: 'TLS versions and cipher suites',
    protocolHint:
      'Custom settings apply to connections opened for domains of this site. Requests for it over a connection opened for another domain return 421.',
    min: 'Minimum version',
    max: 'Maximum version',
    level: 'Cipher suites',
    levelHint: 'For TLS 1.2 and below; all TLS 1.3 suites are secure. TLS 1.0 and 1.1 require “Legacy”.',
    levels: {
      modern: 'Modern (forward-secret AEAD only)',
      compatible: 'Compatible (older clients)',
      old: 'Legacy (adds RSA key exchange and SHA-1)',
    },
    stapling: 'OCSP stapling',
    staplingHint:
      'Nodes fetch the certificate status and send it in the handshake. No effect if the certificate has no OCSP URL, or if a domain uses both an RSA and an ECDSA certificate.',
    client: 'Client certificates',
    clientHint: 'Require visitors to present a certificate issued by the CAs below.',
    mode: 'Verification',
    modes: {
      off: 'Off',
      optional: 'Optional: verified if presented',
      require: 'Required: 403 without a valid certificate, and no HTTP access',
    },
    ca: 'CA certificates (PEM)',
    caHint: 'One or more CA certificates, one after another.',
    depth: 'Chain depth',
    depthHint: 'Maximum number of certificates between the client certificate and the CA.',
    pass: 'Send certificate details to the origin',
    passHint:
      'In the request headers X-Client-Verify, X-Client-Subject and X-Client-Fingerprint; visitors cannot forge them. Requests with a valid certificate bypass the cache.',
    always: 'HTTP/2 is always enabled on HTTPS ports.',
  },
});
