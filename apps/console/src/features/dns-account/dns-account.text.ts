import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const dnsAccountText = defineText({
  zh: {
    ...wordsOf.zh('DNS 账号'),
    subtitle: 'DNS 服务商的账号，用于读取和修改解析记录。密钥加密保存，不再显示。',
    provider: '服务商',
    target: '服务器或密钥 ID',
    state: '最近测试',
    untested: '未测试',
    works: '可用',
    fails: '不可用',
    emptyHint: '添加账号，然后测试能否访问您的域名。',
    test: '测试',
    tested: (zones: readonly string[]) =>
      zones.length === 0
        ? '连接正常，但该账号下没有域名'
        : `连接正常，可管理 ${zones.length} 个域名：${some(zones, '、')}`,
    zones: '域名',
    zone: '域名',
    zonesOf: (name: string) => `“${name}”的域名`,
    noZones: '该账号下没有域名',
    noZonesHint: '请在服务商处添加域名，或检查密钥可访问的范围。',
    removeBody: (name: string) => `将删除账号“${name}”，服务商处的解析记录不受影响。`,
  },
  en: {
    ...wordsOf.en('DNS account'),
    subtitle:
      'Accounts at DNS providers for reading and changing DNS records. Secrets are stored encrypted and never shown again.',
    provider: 'Provider',
    target: 'Server or key ID',
    state: 'Last test',
    untested: 'Not tested',
    works: 'Working',
    fails: 'Failing',
    emptyHint: 'Add an account, then test whether it can access your zones.',
    test: 'Test',
    tested: (zones: readonly string[]) =>
      zones.length === 0
        ? 'Connected, but the account has no zones'
        : `Connected; manages ${zones.length === 1 ? '1 zone' : `${zones.length} zones`}: ${some(zones, ', ')}`,
    zones: 'Zones',
    zone: 'Zone',
    zonesOf: (name: string) => `Zones of “${name}”`,
    noZones: 'This account has no zones',
    noZonesHint: 'Add a domain at the provider, or check what the key may access.',
    removeBody: (name: string) =>
      `Account “${name}” will be deleted. DNS records at the provider are not affected.`,
  },
});

const shownMax = 3;
const some = (names: readonly string[], comma: string) =>
  names.slice(0, shownMax).join(comma) + (names.length > shownMax ? ' …' : '');
