import * as z from 'zod';
import { count, id, listQuery, optionalIdText, optionalText } from './common.ts';
import { siteCertificateStatuses, siteStatuses } from './site-status.ts';

/** What the list of sites, its export and a batch over it can be narrowed by. */
export const siteFilters = {
  domain_name: optionalText,
  cname: optionalText,
  client_id: optionalIdText,
  username: optionalText,
  site_id: optionalIdText,
  status: z.enum(siteStatuses).optional(),
  line_group_id: optionalIdText,
  product_id: optionalIdText,
  order_id: optionalIdText,
  source_content: optionalText,
  certificate_status: z.enum(siteCertificateStatuses).optional(),
  /** Of those that are enabled: whether the first of them ends within 30 days. */
  certificate_expires_soon: z.enum(['yes', 'no']).optional(),
  tags_id: optionalIdText,
};

export const siteSorts = ['id', 'domain_name', 'updated_at', 'status'] as const;
export const siteSorting = {
  sort_by: z.enum(siteSorts).default('id'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
};

/** What the address of the list of sites holds; by itself, so that the list waits for no schema of a whole site. */
export const siteSearch = listQuery({ ...siteFilters, ...siteSorting });

export const sitesExportedMax = 10_000;
/** One batch, by ids or by filter, reaches so many sites. */
export const sitesSelectedMax = 10_000;

const selected = z.strictObject({
  site_ids: z.array(id).min(1).max(sitesSelectedMax).optional(),
  /** Every site that the list would show with these filters. */
  filter: z.strictObject(siteFilters).optional(),
  /** With a filter: how many sites its list counted. Where there are more or fewer by now, nothing is done. */
  expected_total: count.optional(),
});

/** Many sites: by their ids, or by what the list is narrowed to and how many that were. Exactly one of both. */
export const siteSelection = selected.check((context) => {
  const { site_ids: ids, filter, expected_total: expected } = context.value;
  if ((ids === undefined) === (filter === undefined))
    context.issues.push({ code: 'custom', path: ['site_ids'], message: 'required', input: ids });
  else if (filter !== undefined && expected === undefined)
    context.issues.push({ code: 'custom', path: ['expected_total'], message: 'required', input: expected });
});
export type SiteSelection = z.infer<typeof selected>;
