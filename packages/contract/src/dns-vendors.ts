import * as z from 'zod';
import { inputText } from './common.ts';
import { dnsCapabilities } from './dns-hosts.ts';
import { describeProvider } from './provider.ts';
import { secretField } from './secret.ts';

/** DNS services with an API of their own. Which rights a key needs there is in `docs/dns-accounts.md`. */

const key = () => inputText().trim().min(1).max(200).regex(/^\S+$/, { error: 'invalid' });
/** The first of them where none is named. */
const endpoint = <const Hosts extends readonly [string, ...string[]]>(hosts: Hosts) =>
  z.enum(hosts).default(hosts[0] as never);
const endpointField = {
  label: { zh: 'API 端点', en: 'API endpoint' },
  hint: {
    zh: '选择账号所属站点的端点',
    en: 'Choose the endpoint of the site that your account belongs to',
  },
};
const keyId = { label: { zh: 'AccessKey ID', en: 'Access key ID' } };
const keySecret = { label: { zh: 'AccessKey Secret', en: 'Access key secret' } };

export const cloudflare = describeProvider({
  family: 'dns',
  code: 'cloudflare',
  title: { zh: 'Cloudflare', en: 'Cloudflare' },
  params: z.strictObject({ ...secretField('api_token', key()) }),
  fields: {
    api_token: {
      label: { zh: 'API 令牌', en: 'API token' },
      hint: {
        zh: '需要 Zone:Read 和 DNS:Edit 权限；不支持 Global API Key',
        en: 'Needs Zone:Read and DNS:Edit; the Global API Key is not supported',
      },
    },
  },
  target: [],
  capabilities: dnsCapabilities,
});

export const alidns = describeProvider({
  family: 'dns',
  code: 'alidns',
  title: { zh: '阿里云云解析', en: 'Alibaba Cloud DNS' },
  params: z.strictObject({
    access_key_id: key(),
    ...secretField('access_key_secret', key()),
    endpoint: endpoint(['alidns.aliyuncs.com', 'alidns.ap-southeast-1.aliyuncs.com']),
  }),
  fields: { access_key_id: keyId, access_key_secret: keySecret, endpoint: endpointField },
  target: ['endpoint'],
  capabilities: dnsCapabilities,
});

export const dnspod = describeProvider({
  family: 'dns',
  code: 'dnspod',
  title: { zh: '腾讯云 DNSPod', en: 'Tencent Cloud DNSPod' },
  params: z.strictObject({
    secret_id: key(),
    ...secretField('secret_key', key()),
    endpoint: endpoint(['dnspod.tencentcloudapi.com', 'dnspod.intl.tencentcloudapi.com']),
  }),
  fields: {
    secret_id: {
      label: { zh: 'SecretId', en: 'SecretId' },
      hint: {
        zh: '使用腾讯云 API 密钥，不是 DNSPod Token',
        en: 'From a Tencent Cloud API key, not a DNSPod token',
      },
    },
    secret_key: { label: { zh: 'SecretKey', en: 'SecretKey' } },
    endpoint: endpointField,
  },
  target: ['endpoint'],
  capabilities: dnsCapabilities,
});

export const huaweicloud = describeProvider({
  family: 'dns',
  code: 'huaweicloud',
  title: { zh: '华为云云解析', en: 'Huawei Cloud DNS' },
  params: z.strictObject({
    access_key: key(),
    ...secretField('secret_key', key()),
    endpoint: endpoint(['dns.cn-north-4.myhuaweicloud.com', 'dns.ap-southeast-1.myhuaweicloud.com']),
  }),
  fields: {
    access_key: { label: { zh: 'Access Key ID (AK)', en: 'Access key ID (AK)' } },
    secret_key: { label: { zh: 'Secret Access Key (SK)', en: 'Secret access key (SK)' } },
    endpoint: endpointField,
  },
  target: ['endpoint'],
  capabilities: dnsCapabilities,
});

export const volcengine = describeProvider({
  family: 'dns',
  code: 'volcengine',
  title: { zh: '火山引擎云解析', en: 'Volcengine DNS' },
  params: z.strictObject({ access_key_id: key(), ...secretField('secret_access_key', key()) }),
  fields: {
    access_key_id: { label: { zh: 'Access Key ID', en: 'Access key ID' } },
    secret_access_key: { label: { zh: 'Secret Access Key', en: 'Secret access key' } },
  },
  target: [],
  capabilities: dnsCapabilities,
});

export const route53 = describeProvider({
  family: 'dns',
  code: 'route53',
  title: { zh: 'AWS Route 53', en: 'AWS Route 53' },
  params: z.strictObject({
    access_key_id: key(),
    ...secretField('secret_access_key', key()),
    endpoint: endpoint(['route53.amazonaws.com', 'route53.amazonaws.com.cn']),
  }),
  fields: {
    access_key_id: { label: { zh: 'Access Key ID', en: 'Access key ID' } },
    secret_access_key: { label: { zh: 'Secret Access Key', en: 'Secret access key' } },
    endpoint: endpointField,
  },
  target: ['endpoint'],
  capabilities: dnsCapabilities,
});

export const godaddy = describeProvider({
  family: 'dns',
  code: 'godaddy',
  title: { zh: 'GoDaddy', en: 'GoDaddy' },
  params: z.strictObject({ api_key: key(), ...secretField('api_secret', key()) }),
  fields: {
    api_key: { label: { zh: 'API Key', en: 'API key' } },
    api_secret: { label: { zh: 'API Secret', en: 'API secret' } },
  },
  target: [],
  capabilities: dnsCapabilities,
});

const serviceAccount = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().includes('PRIVATE KEY'),
});

/** The key file of a Google service account. Undefined where a text is none. */
export function parseServiceAccount(text: string): z.infer<typeof serviceAccount> | undefined {
  try {
    return serviceAccount.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const googleCloud = describeProvider({
  family: 'dns',
  code: 'google_cloud',
  title: { zh: 'Google Cloud DNS', en: 'Google Cloud DNS' },
  params: z.strictObject({
    ...secretField(
      'service_account',
      inputText()
        .trim()
        .max(10_000)
        .refine((text) => text === '' || parseServiceAccount(text) !== undefined, {
          error: 'service_account',
        }),
    ),
  }),
  fields: {
    service_account: {
      label: { zh: '服务账号密钥', en: 'Service account key' },
      hint: {
        zh: '粘贴 JSON 密钥文件的全部内容',
        en: 'Paste the whole content of the JSON key file',
      },
    },
  },
  target: [],
  capabilities: dnsCapabilities,
});

export const dnsla = describeProvider({
  family: 'dns',
  code: 'dnsla',
  title: { zh: 'DNS.LA', en: 'DNS.LA' },
  params: z.strictObject({ api_id: key(), ...secretField('api_secret', key()) }),
  fields: {
    api_id: { label: { zh: 'API ID', en: 'API ID' } },
    api_secret: { label: { zh: 'API Secret', en: 'API secret' } },
  },
  target: [],
  capabilities: dnsCapabilities,
});
