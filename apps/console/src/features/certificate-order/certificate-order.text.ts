import type { CertificateChallenge, CertificateKeyType } from '@breakwater/contract';
import { certificateProgress } from '../../frame/certificate-timeline.text.ts';
import { wordsOf } from '../../frame/words.text.ts';
import { defineText } from '../../i18n/text.ts';

export const certificateOrderText = defineText({
  zh: {
    ...wordsOf.zh('证书申请'),
    ...certificateProgress.zh,
    subtitle: '由证书颁发机构自动签发并续期的证书。续期后直接替换，站点无需修改。',
    add: '申请证书',
    emptyHint: '选择已验证的域名，即可自动签发证书并续期。',
    saved: '已开始签发，进度见列表',
    client: '客户',
    platform: '平台',
    platformHint: '留空为平台自用的证书，例如控制台的域名；HTTP 验证由主控应答。',
    domains: '域名',
    domain: '域名',
    domainsHint: '已验证的域名；通过 DNS 验证时可以使用泛域名。',
    account: '证书账号',
    anyAccount: '自动选择',
    challenge: '验证方式',
    challenges: {
      'http-01': 'HTTP（由节点应答）',
      'dns-01': 'DNS（TXT 记录）',
    } satisfies Record<CertificateChallenge, string>,
    dnsAccount: 'DNS 账号',
    dnsAccountHint: '用于写入 _acme-challenge 记录。该记录也可以是指向此账号下域名的 CNAME。',
    keyType: '密钥类型',
    accountKeyType: '与证书账号相同',
    keyTypes: {
      ecdsa_p256: 'ECDSA P-256',
      ecdsa_p384: 'ECDSA P-384',
      rsa_2048: 'RSA 2048',
      rsa_4096: 'RSA 4096',
    } satisfies Record<CertificateKeyType, string>,
    reuseKey: '续期时保留私钥',
    follows: '跟随站点域名',
    runDone: '已开始，请在“进度”中查看',
    revoke: '吊销',
    revokeTitle: '吊销证书？',
    revokeBody: (name: string) => `“${name}”将被颁发机构吊销，浏览器将不再信任该证书，且不再续期。`,
    revokeDone: '证书已吊销',
    notIssued: '尚未签发',
    removeBody: (name: string) => `“${name}”将不再续期。已签发的证书会保留，直到过期。`,
  },
  en: {
    ...wordsOf.en('certificate order'),
    ...certificateProgress.en,
    subtitle:
      'Certificates that a certificate authority issues and renews automatically. A renewed certificate replaces the old one; sites need no changes.',
    add: 'Obtain certificate',
    emptyHint: 'Choose verified domains to have a certificate issued and renewed automatically.',
    saved: 'Issuance started; see the list for progress',
    client: 'Customer',
    platform: 'Platform',
    platformHint:
      'Leave empty for a certificate of the platform itself, such as for the domains of the consoles. The control plane answers HTTP validation.',
    domains: 'Domains',
    domain: 'Domain',
    domainsHint: 'Verified domains. Wildcards can be used with DNS validation.',
    account: 'Certificate account',
    anyAccount: 'Chosen automatically',
    challenge: 'Validation',
    challenges: { 'http-01': 'HTTP (answered by nodes)', 'dns-01': 'DNS (TXT record)' },
    dnsAccount: 'DNS account',
    dnsAccountHint:
      'Writes the _acme-challenge records. Such a record can also be a CNAME into a zone of this account.',
    keyType: 'Key type',
    accountKeyType: 'Same as the certificate account',
    keyTypes: {
      ecdsa_p256: 'ECDSA P-256',
      ecdsa_p384: 'ECDSA P-384',
      rsa_2048: 'RSA 2048',
      rsa_4096: 'RSA 4096',
    },
    reuseKey: 'Keep the private key on renewal',
    follows: 'Follows the domains of its site',
    runDone: 'Started. See the timeline for progress',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this certificate?',
    revokeBody: (name: string) =>
      `The authority will revoke “${name}”. Browsers will no longer trust it, and it will not be renewed.`,
    revokeDone: 'Certificate revoked',
    notIssued: 'Not issued yet',
    removeBody: (name: string) =>
      `“${name}” will no longer be renewed. The issued certificate stays until it expires.`,
  },
});
