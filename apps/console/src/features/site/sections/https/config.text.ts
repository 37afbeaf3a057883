import { defineText } from '../../../../i18n/text.ts';

/** Texts of the sections of a site's configuration. */
export const siteConfigText = defineText({
  zh: {
    certificateForm: {
      title: 'HTTPS 证书',
      hint: '按访客请求的域名（SNI）从所选证书中挑选；没有匹配时使用节点的默认证书。',
      chosen: '使用的证书',
      chosenHint: '列出最早到期的五个，输入名称或域名可查找其他证书。',
      none: '该客户还没有证书',
      noneHint: '先上传证书，再回到这里选用。',
      upload: '上传证书',
      covers: '覆盖域名',
      expires: '到期时间',
    },
  },
  en: {
    certificateForm: {
      title: 'HTTPS certificates',
      hint: 'Chosen among these by the name the visitor asks for (SNI). Where none fits, the node’s default certificate is used.',
      chosen: 'Certificates in use',
      chosenHint: 'The five that expire first are listed; type a name or domain to find others.',
      none: 'This customer has no certificates yet',
      noneHint: 'Upload one first, then choose it here.',
      upload: 'Upload certificate',
      covers: 'Covers',
      expires: 'Expires',
    },
  },
});
