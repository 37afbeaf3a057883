import type { VerifyKind } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** What browsers are asked for. */
export const verifyKindText = defineText({
  zh: {
    cookie: 'Cookie',
    javascript: 'JavaScript',
    delay: '等待页面',
    proof_of_work: '工作量证明',
    click: '点击',
    slide: '滑块',
    rotate: '旋转图片',
    image: '图片验证码',
    external: '第三方验证',
  } satisfies Record<VerifyKind, string>,
  en: {
    cookie: 'Cookie',
    javascript: 'JavaScript',
    delay: 'Waiting page',
    proof_of_work: 'Proof of work',
    click: 'Click',
    slide: 'Slider',
    rotate: 'Rotate the image',
    image: 'Image CAPTCHA',
    external: 'Third-party CAPTCHA',
  },
});

/** Of rules that ask for the challenge of a vendor, which the section of browser verification names. */
export const externalKindText = defineText({
  zh: { hint: '使用站点“浏览器验证”中选择的人机验证账号；未选择时改为计算' },
  en: {
    hint: 'Uses the CAPTCHA account chosen under Browser verification of the site. Without one, the browser computes instead.',
  },
});
