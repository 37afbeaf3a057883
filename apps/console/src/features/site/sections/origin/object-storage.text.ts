import { defineText } from '../../../../i18n/text.ts';

export const siteObjectStorageText = defineText({
  zh: {
    title: '对象存储',
    sign: '为回源请求签名（S3）',
    signHint: '适用于 S3 兼容的私有存储桶。仅支持读取：其他请求方法返回 405，目录列表返回 403。',
    region: '区域',
    regionHint: '例如 us-east-1',
    bucket: '存储桶',
    bucketHint: '仅填名称，不含域名',
    accessKey: '访问密钥 ID',
    secret: '访问密钥',
    secretHint: '加密保存，不再显示；仅需读取权限',
    pathStyle: '路径形式访问',
    pathStyleHint: '开启：存储桶在路径中（/bucket/…）。关闭：存储桶在域名中（bucket.…）。',
  },
  en: {
    title: 'Object storage',
    sign: 'Sign origin requests (S3)',
    signHint:
      'For private S3-compatible buckets. Read-only: other methods return 405, directory listings 403.',
    region: 'Region',
    regionHint: 'Such as us-east-1',
    bucket: 'Bucket',
    bucketHint: 'Name only, without a domain',
    accessKey: 'Access key ID',
    secret: 'Secret access key',
    secretHint: 'Stored encrypted and never shown again. Only needs read permission.',
    pathStyle: 'Path style',
    pathStyleHint:
      'On: the bucket is in the path (/bucket/…). Off: the bucket is in the hostname (bucket.…).',
  },
});
