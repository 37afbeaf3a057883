import type { SigningType } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

export const siteSignedLinksText = defineText({
  zh: {
    title: 'URL 鉴权',
    hint: '只有带有效签名的链接才能打开；签名不会进入缓存，也不会发给源站。',
    enabled: '启用 URL 鉴权',
    type: '鉴权方式',
    forms: {
      A: '/文件?auth_key=时间-随机数-用户-MD5',
      B: '/年月日时分/MD5/文件，时间为北京时间',
      C: '/MD5/十六进制时间/文件',
    } satisfies Record<SigningType, string>,
    valid: '有效时长',
    validHint: '从链接中的时间算起',
    argument: '参数名',
    secret: '密钥',
    secretHint: '6 至 128 个字符，保存后不再显示',
    previous: '旧密钥',
    previousHint: '用它签名的链接仍然有效；更换密钥时使用，不再需要时移除',
    only: '仅这些路径',
    onlyHint: '以 / 结尾表示目录下全部；留空为全部',
    except: '排除这些路径',
  },
  en: {
    title: 'Signed links',
    hint: 'Only links with a good signature open. The signature reaches neither the cache nor the origin.',
    enabled: 'Ask for signed links',
    type: 'Type',
    forms: {
      A: '/FILE?auth_key=TIME-RANDOM-USER-MD5',
      B: '/YYYYMMDDHHMM/MD5/FILE, the time that of China',
      C: '/MD5/TIME/FILE, the time in hexadecimal digits',
    },
    valid: 'Good for',
    validHint: 'From the time that stands in the link',
    argument: 'Argument',
    secret: 'Key',
    secretHint: '6 to 128 characters; not shown again',
    previous: 'Key before',
    previousHint: 'Links signed with it are good still; for changing keys. Remove it to end that',
    only: 'Only these paths',
    onlyHint: 'With a / at the end all below it; none: all',
    except: 'Not these paths',
  },
});
