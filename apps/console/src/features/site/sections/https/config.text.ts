import { defineText } from '../../../../i18n/text.ts';

/** Texts of the sections of a site's configuration. */
export const siteConfigText = defineText({
  zh: {
    certificateForm: {
      title: 'HTTPS 证书',
      hint: '按访客请求的域名（SNI）匹配证书；没有匹配的证书时使用节点的默认证书。',
      chosen: '使用的证书',
      chosenHint: '列出最早到期的 5 张证书；输入名称或域名可查找其他证书。',
      none: '该客户还没有证书',
      noneHint: '请先上传证书，再在此选用。',
      upload: '上传证书',
      obtain: '自动申请证书',
      obtaining: '已开始申请，签发后自动用于此站点',
      covers: '覆盖域名',
      expires: '到期时间',
      uncovered: (domains: readonly string[]) =>
        `以下域名没有证书覆盖，访客会收到节点的默认证书：${domains.join('、')}`,
    },
  },
  en: {
    certificateForm: {
      title: 'HTTPS certificates',
      hint: 'The certificate is selected by the requested domain (SNI). If none matches, the default certificate of the node is used.',
      chosen: 'Certificates in use',
      chosenHint: 'Lists the five certificates that expire first. Type a name or domain to find others.',
      none: 'This customer has no certificates yet',
      noneHint: 'Upload a certificate first, then select it here.',
      upload: 'Upload certificate',
      obtain: 'Obtain automatically',
      obtaining: 'Issuance started; the site uses the certificate once it is issued',
      covers: 'Covers',
      expires: 'Expires',
      uncovered: (domains: readonly string[]) =>
        `No certificate covers ${domains.join(', ')}: visitors get the default certificate of the node.`,
    },
  },
});
