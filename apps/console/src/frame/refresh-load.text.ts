import { counted } from '../i18n/counted.ts';
import { defineText } from '../i18n/text.ts';

export const refreshLoadText = defineText({
  zh: {
    load: (cached: string, origin: string) =>
      `过去一小时，缓存平均应答 ${cached} 次/秒的请求，源站应答 ${origin} 次/秒。刷新后，在内容重新缓存之前，源站最多会增加 ${cached} 次/秒的请求。`,
  },
  en: {
    load: (cached: string, origin: string) =>
      `In the last hour the cache answered ${counted(cached, 'request')} per second on average, and the origin ${origin}. After the refresh the origin gets up to ${cached} more per second until content is cached again.`,
  },
});
