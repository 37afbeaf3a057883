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
    rotate: 'Rotate a picture',
    image: 'Image captcha',
    external: 'Third-party CAPTCHA',
  },
});
