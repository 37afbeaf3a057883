import type { SigningType } from '@breakwater/contract';
import { defineText } from '../../../../i18n/text.ts';

export const siteSignedLinksText = defineText({
  zh: {
    title: 'URL 鉴权',
    hint: '仅允许带有效签名的链接访问。签名不计入缓存键，也不发送给源站。',
    enabled: '启用 URL 鉴权',
    type: '鉴权方式',
    forms: {
      A: '/文件?auth_key=时间戳-随机数-用户-MD5',
      B: '/年月日时分/MD5/文件（北京时间）',
      C: '/MD5/十六进制时间戳/文件',
    } satisfies Record<SigningType, string>,
    valid: '有效时长',
    validHint: '从链接中的时间起计算',
    argument: '参数名',
    secret: '密钥',
    secretHint: '6 至 128 个字符，保存后不再显示',
    previous: '备用密钥',
    previousHint: '更换密钥时填写原密钥，用它签名的链接仍有效；不再需要时移除',
    only: '仅这些路径',
    onlyHint: '以 / 结尾匹配目录下的全部路径；留空为全部',
    except: '排除这些路径',
  },
  en: {
    title: 'Signed URLs',
    hint: 'Only URLs with a valid signature are served. The signature is not part of the cache key and is not sent to the origin.',
    enabled: 'Require signed URLs',
    type: 'Signature type',
    forms: {
      A: '/FILE?auth_key=TIMESTAMP-RANDOM-USER-MD5',
      B: '/YYYYMMDDHHMM/MD5/FILE (time in UTC+8)',
      C: '/MD5/TIMESTAMP/FILE (hexadecimal timestamp)',
    },
    valid: 'Validity',
    validHint: 'Counted from the time in the URL',
    argument: 'Parameter name',
    secret: 'Key',
    secretHint: '6 to 128 characters; not shown again after saving',
    previous: 'Previous key',
    previousHint:
      'When rotating keys, URLs signed with this key stay valid. Remove it when no longer needed.',
    only: 'Only these paths',
    onlyHint: 'End with / to match everything below. Leave empty for all paths.',
    except: 'Except these paths',
  },
});
