import * as z from 'zod';
import { listOf, listQuery } from './common.ts';
import { defineRoutes } from './define.ts';
import { readers } from './permissions.ts';
import { siteFilters, siteSorts, sitesExportedMax } from './site-selection.ts';
import { site } from './site.ts';

const reader = { kind: 'both', groups: readers } as const;
const sorting = {
  sort_by: z.enum(siteSorts).default('id'),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
};

export const siteListRoutes = defineRoutes({
  listSites: {
    method: 'GET',
    path: '/prod-api/site',
    summary: 'Sites, newest first, with their delivery.',
    access: reader,
    query: listQuery({ ...siteFilters, ...sorting }),
    response: listOf(site),
  },
  exportSites: {
    method: 'GET',
    path: '/prod-api/site/export',
    summary:
      'The first `count` sites that the filters let through, at most 10,000; an error where there are none.',
    access: reader,
    query: z.strictObject({
      ...siteFilters,
      ...sorting,
      count: z.coerce.number().pipe(z.int().min(1).max(sitesExportedMax)).default(sitesExportedMax),
    }),
    response: z.strictObject({ sites: z.array(site), total: z.int() }),
  },
});
