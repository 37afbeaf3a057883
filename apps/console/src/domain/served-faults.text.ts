import { defineText } from '../i18n/text.ts';

export const servedFaultsText = defineText({
  zh: {
    title: '节点实际返回的证书与配置不符',
    all: (shown: number, total: number) => (total > shown ? `显示最近 ${shown} 个，共 ${total} 个` : ''),
    on: (domain: string, node: string) => `${domain}，节点 ${node}`,
    problems: {
      other: (expected: string, served: string, issuer: string) =>
        `应为序列号 ${expected}，实际为 ${served}（${issuer}）`,
      chain: (serial: string) => `证书正确（${serial}），但证书链不同`,
      no_answer: (reason: string) => `TLS 连接失败：${reason}`,
    },
    stapleTimes: 'OCSP 响应有效期',
    staples: {
      missing: '证书正确，但未附带 OCSP 响应',
      expired: '证书正确，但附带的 OCSP 响应已过期',
      early: '证书正确，但附带的 OCSP 响应尚未生效',
      revoked: '证书颁发机构的 OCSP 响应：证书已吊销',
      unknown: '证书颁发机构的 OCSP 响应：未知证书',
      other: '证书正确，但附带的 OCSP 响应属于另一张证书',
      unreadable: '证书正确，但附带的 OCSP 响应无法读取',
    },
  },
  en: {
    title: 'Nodes serve a different certificate than configured',
    all: (shown: number, total: number) => (total > shown ? `The latest ${shown} of ${total}` : ''),
    on: (domain: string, node: string) => `${domain} on node ${node}`,
    problems: {
      other: (expected: string, served: string, issuer: string) =>
        `Expected serial number ${expected}, got ${served} (${issuer})`,
      chain: (serial: string) => `The certificate is correct (${serial}), but its chain is different`,
      no_answer: (reason: string) => `TLS connection failed: ${reason}`,
    },
    stapleTimes: 'OCSP response valid',
    staples: {
      missing: 'The certificate is correct, but no OCSP response is stapled to it',
      expired: 'The certificate is correct, but the stapled OCSP response has expired',
      early: 'The certificate is correct, but the stapled OCSP response is not valid yet',
      revoked: 'OCSP response of the certificate authority: revoked',
      unknown: 'OCSP response of the certificate authority: unknown certificate',
      other: 'The certificate is correct, but the stapled OCSP response belongs to another certificate',
      unreadable: 'The certificate is correct, but the stapled OCSP response cannot be read',
    },
  },
});
