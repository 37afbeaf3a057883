import type { Both } from './address-page.text.ts';

/** What who is banned is told besides the page's own words. */
export const banText = {
  until: { zh: '至', en: 'Until' },
  objection: { zh: '如有异议，请附上请求 ID 联系', en: 'If this is a mistake, send the request ID to' },
} satisfies Record<string, Both>;
