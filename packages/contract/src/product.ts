import * as z from 'zod';
import {
  created,
  dateTime,
  description,
  id,
  idParams,
  listOf,
  listQuery,
  money,
  name,
  nothing,
  optionalText,
} from './common.ts';
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
});

export const productInput = z.strictObject({
  name,
  description: description.default(''),
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
export const product = z.strictObject({
  id,
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
  created_at: dateTime,
  updated_at: dateTime,
});
export type Product = z.infer<typeof product>;

export const productRoutes = defineRoutes({
  listProducts: {
    method: 'GET',
    path: '/prod-api/product',
    summary: 'Products by name.',
    access: { kind: 'admin', permission: 'product.read' },
    query: listQuery({ name: optionalText }),
    response: listOf(product),
  },
  getProduct: {
    method: 'GET',
    path: '/prod-api/product/{id}',
    summary: 'One product.',
    access: { kind: 'admin', permission: 'product.read' },
    params: idParams,
    response: product,
  },
  createProduct: {
    method: 'POST',
    path: '/prod-api/product',
    summary: 'Create a product.',
    access: { kind: 'admin', permission: 'product.write' },
    body: productInput,
    response: created,
  },
  updateProduct: {
    method: 'PUT',
    path: '/prod-api/product/{id}',
    summary: 'Change a product. Orders keep the price they were sold at.',
    access: { kind: 'admin', permission: 'product.write' },
    params: idParams,
    body: productInput,
    response: nothing,
  },
  removeProduct: {
    method: 'DELETE',
    path: '/prod-api/product/{id}',
    summary: 'Delete a product that has no orders.',
    access: { kind: 'admin', permission: 'product.write' },
    params: idParams,
    response: nothing,
  },
});
