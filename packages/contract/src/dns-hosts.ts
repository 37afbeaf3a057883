import * as z from 'zod';
import { inputText } from './common.ts';
import { dnsName } from './dns-record.ts';
import { describeProvider } from './provider.ts';
import { secretField } from './secret.ts';

/** DNS hosts that operators run themselves. */

export const dnsCapabilities = ['list_zones', 'list_records', 'read_records', 'write_records'] as const;

export const powerdns = describeProvider({
  family: 'dns',
  code: 'powerdns',
  title: { zh: 'PowerDNS', en: 'PowerDNS' },
  params: z.strictObject({
    url: inputText()
      .trim()
      .max(500)
      .regex(/^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/, { error: 'url' }),
    ...secretField('api_key', inputText().min(1).max(500)),
    server_id: inputText()
      .trim()
      .regex(/^[\w.-]{1,100}$/, { error: 'invalid' })
      .default('localhost'),
  }),
  fields: {
    url: {
      label: { zh: 'API 地址', en: 'API address' },
      hint: { zh: '不含 /api/v1', en: 'Without /api/v1' },
      placeholder: 'https://dns.example.com:8081',
    },
    api_key: { label: { zh: 'API 密钥', en: 'API key' } },
    server_id: {
      label: { zh: '服务器 ID', en: 'Server ID' },
      hint: { zh: '通常为 localhost', en: 'Usually localhost' },
    },
  },
  target: ['url'],
  capabilities: dnsCapabilities,
});

/** RFC 8945, section 6. MD5 and SHA-1 are not offered. */
export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;

export const rfc2136 = describeProvider({
  family: 'dns',
  code: 'rfc2136',
  title: { zh: 'DNS 动态更新 (RFC 2136)', en: 'DNS update (RFC 2136)' },
  params: z.strictObject({
    server: inputText()
      .trim()
      .max(260)
      .regex(/^(?:\[[\da-fA-F:.]+\]|[\w.-]+)(?::\d{1,5})?$/, { error: 'dns_host' }),
    zones: z.array(dnsName).min(1).max(100),
    key_name: dnsName,
    algorithm: z.enum(tsigAlgorithms).default('hmac-sha256'),
    ...secretField(
      'key_secret',
      inputText()
        .trim()
        .max(500)
        .regex(/^(?:[\w+/]{4})+(?:[\w+/]{2}==|[\w+/]{3}=)?$/, { error: 'base64' }),
    ),
  }),
  fields: {
    server: {
      label: { zh: '服务器', en: 'Server' },
      hint: {
        zh: '主服务器的主机名或 IP，可带端口',
        en: 'Hostname or IP of the primary server, optionally with a port',
      },
      placeholder: 'ns1.example.com:53',
    },
    zones: {
      label: { zh: '域名', en: 'Zones' },
      hint: { zh: '该密钥可以修改的域名', en: 'Zones that this key may update' },
      placeholder: 'example.com',
    },
    key_name: { label: { zh: 'TSIG 密钥名称', en: 'TSIG key name' } },
    algorithm: { label: { zh: 'TSIG 算法', en: 'TSIG algorithm' } },
    key_secret: {
      label: { zh: 'TSIG 密钥', en: 'TSIG key' },
      hint: { zh: 'Base64 格式', en: 'Base64-encoded' },
    },
  },
  target: ['server'],
  capabilities: dnsCapabilities,
});

/** An address of the operator's own that speaks the protocol of `docs/dns-accounts.md`. */
export const customHttp = describeProvider({
  family: 'dns',
  code: 'custom_http',
  title: { zh: '自定义 HTTP 接口', en: 'Custom HTTP API' },
  params: z.strictObject({
    url: inputText()
      .trim()
      .max(500)
      .regex(/^https?:\/\/[^\s/@?#]+(?:\/[^\s?#]*)?$/, { error: 'url' }),
    ...secretField('secret', inputText().min(16).max(500)),
  }),
  fields: {
    url: {
      label: { zh: '接口地址', en: 'Endpoint URL' },
      hint: { zh: '所有请求均以 POST 发送到该地址', en: 'Every request is a POST to this URL' },
      placeholder: 'https://dns.example.com/breakwater',
    },
    secret: {
      label: { zh: '签名密钥', en: 'Signing secret' },
      hint: {
        zh: '至少 16 个字符，用于 HMAC-SHA256 签名',
        en: 'At least 16 characters, used for the HMAC-SHA256 signature',
      },
    },
  },
  target: ['url'],
  capabilities: dnsCapabilities,
});
