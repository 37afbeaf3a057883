import { defineText } from '../../../../i18n/text.ts';

export const siteObjectStorageText = defineText({
  zh: {
    title: '对象存储',
    sign: '为回源请求签名（S3）',
    signHint: '源站是 S3 兼容的私有存储桶时使用。只读取文件：访客的其他方法返回 405，目录列表返回 403。',
    region: '区域',
    regionHint: '例如 us-east-1',
    bucket: '存储桶',
    bucketHint: '填名称，不含域名',
    accessKey: '访问密钥 ID',
    secret: '访问密钥',
    secretHint: '加密保存，不再显示；只需读取权限',
    pathStyle: '路径形式',
    pathStyleHint: '开启：存储桶在路径中（/bucket/…）。关闭：在域名前（bucket.…）。',
  },
  en: {
    title: 'Object storage',
    sign: 'Sign requests to origins (S3)',
    signHint:
      'For origins that are a private bucket, S3 or compatible. It is only read: other methods get 405, listings 403.',
    region: 'Region',
    regionHint: 'Such as us-east-1',
    bucket: 'Bucket',
    bucketHint: 'Its name, without a domain',
    accessKey: 'Access key ID',
    secret: 'Secret access key',
    secretHint: 'Kept encrypted, never shown again. Leave to read is all it needs.',
    pathStyle: 'Path style',
    pathStyleHint: 'On: the bucket stands in the path (/bucket/…). Off: before the host (bucket.…).',
  },
});
