import * as z from 'zod';
import { dateTime, idParams } from './common.ts';
import { defineRoutes } from './define.ts';

/** How long a link is good. */
export const addressLinkSeconds = 600;

export const siteAddressTestRoutes = defineRoutes({
  getSiteAddressTest: {
    method: 'GET',
    path: '/prod-api/site/{id}/address_test',
    summary:
      'Get links, valid for ten minutes, to a page on which a node shows the client IP it sees; one per domain, at most 20.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    response: z.strictObject({
      expires_at: dateTime,
      links: z.array(z.strictObject({ domain: z.string(), url: z.string() })),
    }),
  },
});
