import {
  captchaProviders,
  dnsProviders,
  filingProviders,
  providerFields,
  wafTemplateText,
  type AcmeDirectoryCode,
  type CertificateChallenge,
  type CertificateKeyType,
  type clientStatuses,
  type consoleLanguages,
  type Cycle,
  type FilingProviderCode,
  type LogShippingKind,
  type ProviderDescription,
  type syslogTransports,
  type addressListSources,
  type TagColour,
  type WafClass,
} from '@breakwater/contract';
import { defineText } from '../../i18n/text.ts';
import { certificateProgress } from '../certificate-timeline.text.ts';

type Labels<Value extends string> = Record<Value, string>;
const keyTypes: Labels<CertificateKeyType> = {
  ecdsa_p256: 'ECDSA P-256',
  ecdsa_p384: 'ECDSA P-384',
  rsa_2048: 'RSA 2048',
  rsa_4096: 'RSA 4096',
};

const { rules: _zh, ...zhClasses } = wafTemplateText.zh;
const { rules: _en, ...enClasses } = wafTemplateText.en;
const classNames: Record<'zh' | 'en', Labels<WafClass>> = { zh: zhClasses, en: enClasses };

type Providers = Record<string, ProviderDescription>;
const titlesOf = (providers: Providers, language: 'zh' | 'en'): Record<string, string> =>
  Object.fromEntries(Object.entries(providers).map(([code, { title }]) => [code, title[language]]));

/** What the parameters of accounts are called; what providers call differently, as the first of them does. */
export const parametersOf = (language: 'zh' | 'en'): Record<string, string> =>
  Object.fromEntries(
    [captchaProviders, dnsProviders]
      .flatMap((providers: Providers) => Object.values(providers))
      .flatMap((provider) =>
        providerFields(provider).map(({ name, label }) => [name, label[language]] as const),
      )
      .toReversed(),
  );

const providersOf = (language: 'zh' | 'en'): Labels<FilingProviderCode> => ({
  ...titlesOf(dnsProviders, language),
  ...titlesOf(captchaProviders, language),
  manual: filingProviders.manual.title[language],
  custom_http: filingProviders.custom_http.title[language],
});

/** What values of fields are called, by the field, as their forms call them. */
export const fieldValues = defineText({
  zh: {
    problem: certificateProgress.zh.problems,
    challenge: { 'http-01': 'HTTP', 'dns-01': 'DNS' } satisfies Labels<CertificateChallenge>,
    directory: {
      lets_encrypt: 'Let’s Encrypt',
      lets_encrypt_staging: 'Let’s Encrypt（测试环境）',
      zerossl: 'ZeroSSL',
      google: 'Google Trust Services',
      other: '其他',
    } satisfies Labels<AcmeDirectoryCode>,
    key_type: keyTypes,
    class_type: classNames.zh,
    cycle: { month: '月付', quarter: '季付', half_year: '半年付', year: '年付' } satisfies Labels<Cycle>,
    status: { active: '正常', disabled: '停用' } satisfies Labels<(typeof clientStatuses)[number]>,
    source: { inline: '手动填写', url: 'URL', rules: '规则添加' } satisfies Labels<
      (typeof addressListSources)[number]
    >,
    provider: providersOf('zh'),
    language: { zh: '简体中文', en: 'English', browser: '跟随浏览器' } satisfies Labels<
      (typeof consoleLanguages)[number]
    >,
    kind: {
      off: '关闭',
      syslog: 'Syslog',
      http: 'HTTP POST',
      file: '节点上的文件',
    } satisfies Labels<LogShippingKind>,
    syslog_transport: { udp: 'UDP', tcp: 'TCP', tls: 'TLS' } satisfies Labels<
      (typeof syslogTransports)[number]
    >,
    color: {
      gray: '灰色',
      blue: '蓝色',
      cyan: '青色',
      green: '绿色',
      yellow: '黄色',
      orange: '橙色',
      red: '红色',
      purple: '紫色',
    } satisfies Labels<TagColour>,
  },
  en: {
    problem: certificateProgress.en.problems,
    challenge: { 'http-01': 'HTTP', 'dns-01': 'DNS' },
    directory: {
      lets_encrypt: 'Let’s Encrypt',
      lets_encrypt_staging: 'Let’s Encrypt (staging)',
      zerossl: 'ZeroSSL',
      google: 'Google Trust Services',
      other: 'Other',
    },
    key_type: keyTypes,
    class_type: classNames.en,
    cycle: { month: 'Monthly', quarter: 'Quarterly', half_year: 'Every 6 months', year: 'Yearly' },
    status: { active: 'Active', disabled: 'Disabled' },
    source: { inline: 'Entered manually', url: 'URL', rules: 'Added by rules' },
    provider: providersOf('en'),
    language: { zh: '简体中文', en: 'English', browser: 'Follow the browser' },
    kind: { off: 'Off', syslog: 'Syslog', http: 'HTTP POST', file: 'File on the node' },
    syslog_transport: { udp: 'UDP', tcp: 'TCP', tls: 'TLS' },
    color: {
      gray: 'Gray',
      blue: 'Blue',
      cyan: 'Cyan',
      green: 'Green',
      yellow: 'Yellow',
      orange: 'Orange',
      red: 'Red',
      purple: 'Purple',
    },
  },
});
