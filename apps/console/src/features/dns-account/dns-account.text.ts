import { accountWords } from '../../frame/provider-account/words.text.ts';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const dnsAccountText = defineText({
  zh: {
    ...wordsOf.zh('DNS 账号'),
    ...accountWords.zh,
    subtitle: 'DNS 服务商的账号，用于读取和修改解析记录。密钥加密保存，不再显示。',
    target: '服务器或密钥 ID',
    emptyHint: '添加账号，然后测试能否访问您的域名。',
    tested: (zones: readonly string[]) =>
      zones.length === 0
        ? '连接正常，但该账号下没有域名'
        : `连接正常，可管理 ${zones.length} 个域名：${some(zones, '、')}`,
    zones: '域名',
    zone: '域名',
    zonesOf: (name: string) => `“${name}”的域名`,
    noZones: '该账号下没有域名',
    noZonesHint: '请在服务商处添加域名，或检查密钥可访问的范围。',
    inUse: (orders: readonly string[], count: number) =>
      `有 ${count} 个证书申请正在使用：${some(orders, '、', count)}`,
    removeBody: (name: string) => `将删除账号“${name}”，服务商处的解析记录不受影响。`,
  },
  en: {
    ...wordsOf.en('DNS account'),
    ...accountWords.en,
    subtitle:
      'Accounts at DNS providers for reading and changing DNS records. Secrets are stored encrypted and never shown again.',
    target: 'Server or key ID',
    emptyHint: 'Add an account, then test whether it can access your zones.',
    tested: (zones: readonly string[]) =>
      zones.length === 0
        ? 'Connected, but the account has no zones'
        : `Connected; manages ${zones.length === 1 ? '1 zone' : `${zones.length} zones`}: ${some(zones, ', ')}`,
    zones: 'Zones',
    zone: 'Zone',
    zonesOf: (name: string) => `Zones of “${name}”`,
    noZones: 'This account has no zones',
    noZonesHint: 'Add a zone at the provider, or check which zones the key can access.',
    inUse: (orders: readonly string[], count: number) =>
      `Used by ${count === 1 ? '1 certificate order' : `${count} certificate orders`}: ${some(orders, ', ', count)}`,
    removeBody: (name: string) =>
      `Account “${name}” will be deleted. DNS records at the provider are not affected.`,
  },
});

const shownMax = 3;
const some = (names: readonly string[], comma: string, count = names.length) =>
  names.slice(0, shownMax).join(comma) + (count > shownMax ? ' …' : '');
