import * as z from 'zod';
import { id, inputText } from './common.ts';
import { defineRoutes } from './define.ts';

export const searchKinds = ['site', 'node', 'client', 'product', 'order'] as const;
export type SearchKind = (typeof searchKinds)[number];
/** Hits of one kind that an answer holds at the most. */
export const searchHitsMax = 5;

export const searchHit = z.strictObject({
  kind: z.enum(searchKinds),
  id,
  /** A domain, a name, an order number: what the person looked for. */
  title: z.string(),
  /** What tells it from others: the customer, the address, the product. */
  detail: z.string(),
});
export type SearchHit = z.infer<typeof searchHit>;

export const searchRoutes = defineRoutes({
  search: {
    method: 'GET',
    path: '/prod-api/search',
    summary:
      'Search sites by domain, nodes by name or IP, customers by name or email, products by name, and orders by number. Customers find their own.',
    access: { kind: 'signed_in' },
    query: z.strictObject({ keyword: inputText().trim().min(1).max(100) }),
    response: z.strictObject({ hits: z.array(searchHit) }),
  },
});
