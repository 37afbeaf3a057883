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
  },
  en: {
    title: 'Nodes serve another certificate than configured',
    all: (shown: number, total: number) => (total > shown ? `The latest ${shown} of ${total}` : ''),
    on: (domain: string, node: string) => `${domain} on node ${node}`,
    problems: {
      other: (expected: string, served: string, issuer: string) =>
        `Expected serial number ${expected}, got ${served} (${issuer})`,
      chain: (serial: string) => `The certificate is right (${serial}), its chain is not`,
      no_answer: (reason: string) => `TLS connection failed: ${reason}`,
    },
  },
});
