import type {
  CaptchaProviderCode,
  DnsProviderCode,
  FilingProviderCode,
  ProviderFamily,
} from '@breakwater/contract';
import {
  geetestProvider,
  hcaptchaProvider,
  recaptchaProvider,
  turnstileProvider,
  type CaptchaClient,
} from './captcha/captcha-providers.ts';
import type { Provider } from './define-provider.ts';
import { alidnsProvider } from './dns/alidns.ts';
import { cloudflareProvider } from './dns/cloudflare.ts';
import { customHttpProvider } from './dns/custom-http.ts';
import type { DnsClient } from './dns/dns-client.ts';
import { dnslaProvider } from './dns/dnsla.ts';
import { dnspodProvider } from './dns/dnspod.ts';
import { godaddyProvider } from './dns/godaddy.ts';
import { googleCloudProvider } from './dns/google-cloud.ts';
import { huaweicloudProvider } from './dns/huaweicloud.ts';
import { powerdnsProvider } from './dns/powerdns.ts';
import { rfc2136Provider } from './dns/rfc2136.ts';
import { route53Provider } from './dns/route53.ts';
import { volcengineProvider } from './dns/volcengine.ts';
import { customFilingProvider, manualFilingProvider, type FilingClient } from './filing/filing-providers.ts';

/** Every provider there is, by family and code. A family stands here once it has one. */
export const providers = {
  captcha: {
    turnstile: turnstileProvider,
    hcaptcha: hcaptchaProvider,
    recaptcha: recaptchaProvider,
    geetest: geetestProvider,
  },
  dns: {
    alidns: alidnsProvider,
    cloudflare: cloudflareProvider,
    custom_http: customHttpProvider,
    dnsla: dnslaProvider,
    dnspod: dnspodProvider,
    godaddy: godaddyProvider,
    google_cloud: googleCloudProvider,
    huaweicloud: huaweicloudProvider,
    powerdns: powerdnsProvider,
    rfc2136: rfc2136Provider,
    route53: route53Provider,
    volcengine: volcengineProvider,
  },
  filing: {
    manual: manualFilingProvider,
    custom_http: customFilingProvider,
  },
} satisfies {
  captcha: Record<CaptchaProviderCode, Provider<CaptchaClient>>;
  dns: Record<DnsProviderCode, Provider<DnsClient>>;
  filing: Record<FilingProviderCode, Provider<FilingClient>>;
} & {
  [Family in Exclude<ProviderFamily, 'captcha' | 'dns' | 'filing'>]?: Record<string, Provider<unknown>>;
};
