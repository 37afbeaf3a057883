import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const dnsAccountText = defineText({
  zh: {
    ...wordsOf.zh('DNS 账号'),
    subtitle: 'DNS 服务商的账号，用于读取和修改解析记录。密钥加密保存，不再显示。',
    provider: '服务商',
    target: '服务器',
    state: '最近测试',
    untested: '未测试',
    works: '可用',
    fails: '不可用',
    emptyHint: '添加账号，然后测试能否访问您的区域。',
    test: '测试',
    tested: (zones: number) => `连接正常，可管理 ${zones} 个区域`,
    removeBody: (name: string) => `将删除账号“${name}”，服务商处的解析记录不受影响。`,
  },
  en: {
    ...wordsOf.en('DNS account'),
    subtitle:
      'Accounts at DNS providers for reading and changing DNS records. Secrets are stored encrypted and never shown again.',
    provider: 'Provider',
    target: 'Server',
    state: 'Last test',
    untested: 'Not tested',
    works: 'Working',
    fails: 'Failing',
    emptyHint: 'Add an account, then test whether it can access your zones.',
    test: 'Test',
    tested: (zones: number) =>
      zones === 1 ? 'Connected; manages 1 zone' : `Connected; manages ${zones} zones`,
    removeBody: (name: string) =>
      `Account “${name}” will be deleted. DNS records at the provider are not affected.`,
  },
});
