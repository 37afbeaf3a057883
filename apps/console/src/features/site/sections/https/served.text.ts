import { defineText } from '../../../../i18n/text.ts';

/** What nodes serve of a site, as the control plane sees it. */
export const servedText = defineText({
  zh: {
    title: '节点返回的证书',
    hint: '每次变更后及每天夜间，主控会以访客的方式连接各节点，核对每个域名实际返回的证书。',
    never: '尚未检查',
    right: '各节点返回的证书均正确',
    last: '上次检查',
    staples: 'OCSP 响应有效期至',
    now: '立即检查',
    asked: '将在片刻后检查',
  },
  en: {
    title: 'Certificates served by nodes',
    hint: 'After every change and every night, the control plane connects to each node as a visitor would and checks the certificate it serves for every domain.',
    never: 'Not checked yet',
    right: 'All nodes serve the correct certificates',
    last: 'Last check',
    staples: 'OCSP responses valid until',
    now: 'Check now',
    asked: 'The check starts in a moment',
  },
});
