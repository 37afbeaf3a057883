import * as z from 'zod';
import { description, id, money, name, optionalText } from './common.ts';
import { crudRoutes, entity } from './crud.ts';
import { defineRoutes } from './define.ts';
import { promptText } from './site-domain.ts';

export const cycles = ['month', 'quarter', 'half_year', 'year'] as const;
export type Cycle = (typeof cycles)[number];
export const cycleMonths: Record<Cycle, number> = { month: 1, quarter: 3, half_year: 6, year: 12 };

/** A price that is null is not offered; 0 is free. */
export const prices = z.strictObject({
  month: money.nullable(),
  quarter: money.nullable(),
  half_year: money.nullable(),
  year: money.nullable(),
});
const limit = z.int().min(0).max(1_000_000).nullable();
/** A limit that is null is unlimited. */
export const productLimits = z.strictObject({
  sites: limit,
  domains_per_site: limit,
  /** Ports of a site beside those of the node. */
  ports_per_site: limit.default(null),
  /** Of a customer, with what their other orders allow; absent is unlimited too. */
  address_lists: limit.optional(),
  /** In all of a customer's lists together. */
  address_list_entries: limit.optional(),
  certificates: limit.optional(),
  /** Of a customer within 24 hours: URLs that are refreshed; folders, tags and whole sites together; URLs that are prefetched. */
  refresh_urls_per_day: limit.optional(),
  refresh_folders_per_day: limit.optional(),
  prefetch_urls_per_day: limit.optional(),
});

export const productInput = z.strictObject({
  name,
  description: description.optional(),
  line_group_id: id,
  prices,
  limits: productLimits,
  /** How many more orders it can be sold for; null without end. */
  stock: z.int().min(0).max(1_000_000).nullable().default(null),
  /** Not sold any more; orders that exist go on. */
  delisted: z.boolean().default(false),
  /** Shown on the overview of its sites: a line each, `title|content|color`. */
  prompts: promptText.default(''),
});
export const product = entity({
  name: z.string(),
  description: z.string(),
  line_group_id: id,
  line_group_name: z.string(),
  prices,
  limits: productLimits,
  stock: z.int().nullable(),
  delisted: z.boolean(),
  prompts: z.string(),
  order_count: z.int(),
});
export type Product = z.infer<typeof product>;

export const productRoutes = defineRoutes(
  crudRoutes('Product', 'Products', {
    path: 'product',
    owner: 'platform',
    permission: 'product',
    input: productInput,
    item: product,
    filters: { name: optionalText, delisted: z.enum(['yes', 'no']).optional() },
    summaries: {
      list: 'List products by name.',
      update: 'Change a product. Existing orders keep their price.',
      remove: 'Delete a product that has no orders.',
    },
  }),
);
