import type { CaptchaAccount } from '@breakwater/contract';
import { accountWords } from '../../frame/provider-account/words.text.ts';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

type Used = Pick<CaptchaAccount, 'site_count' | 'level_count' | 'sites'>;

export const captchaAccountText = defineText({
  zh: {
    ...wordsOf.zh('人机验证账号'),
    ...accountWords.zh,
    subtitle: '第三方人机验证服务的账号，用于站点的浏览器验证。密钥加密保存，不再显示。',
    siteKey: '站点密钥',
    uses: '使用情况',
    usedBy: ({ site_count: sites, level_count: levels }: Used) =>
      [sites > 0 && `${sites} 个站点`, levels > 0 && `${levels} 处默认配置`].filter(Boolean).join('，') ||
      '–',
    emptyHint: '添加账号，然后在站点的浏览器验证中选择“第三方验证”。',
    tested: '主控可以访问服务商，服务商未拒绝密钥。站点密钥和节点到服务商的网络不在测试范围内。',
    inUse: ({ site_count: count, level_count: levels, sites }: Used) =>
      [
        count > 0 && `有 ${count} 个站点正在使用：${some(sites, '、', count)}`,
        levels > 0 && `有 ${levels} 处默认配置正在使用`,
      ]
        .filter(Boolean)
        .join('；'),
    removeBody: (name: string) => `将删除账号“${name}”，服务商处不受影响。`,
  },
  en: {
    ...wordsOf.en('CAPTCHA account'),
    ...accountWords.en,
    subtitle:
      'Accounts at third-party CAPTCHA services for the browser verification of sites. Secret keys are stored encrypted and never shown again.',
    siteKey: 'Site key',
    uses: 'Used by',
    usedBy: ({ site_count: sites, level_count: levels }: Used) =>
      [
        sites > 0 && (sites === 1 ? '1 site' : `${sites} sites`),
        levels > 0 && (levels === 1 ? '1 set of defaults' : `${levels} sets of defaults`),
      ]
        .filter(Boolean)
        .join(', ') || '–',
    emptyHint: 'Add an account, then choose “Third-party CAPTCHA” in the browser verification of a site.',
    tested:
      'The control plane reaches the provider, which did not reject the secret key. Not tested: the site key, and whether nodes reach the provider.',
    inUse: ({ site_count: count, level_count: levels, sites }: Used) =>
      [
        count > 0 && `Used by ${count === 1 ? '1 site' : `${count} sites`}: ${some(sites, ', ', count)}`,
        levels > 0 && `Used by ${levels === 1 ? '1 set of defaults' : `${levels} sets of defaults`}`,
      ]
        .filter(Boolean)
        .join('; '),
    removeBody: (name: string) => `Account “${name}” will be deleted. Nothing changes at the provider.`,
  },
});

const shownMax = 3;
const some = (names: readonly string[], comma: string, count: number) =>
  names.slice(0, shownMax).join(comma) + (count > shownMax ? ' …' : '');
