import * as z from 'zod';
import { chosenIds, listOf } from './common.ts';
import { defineRoutes } from './define.ts';
import { fileAnswer } from './file.ts';
import { siteFilters, siteSearch, siteSorting, sitesExportedMax } from './site-selection.ts';
import { site } from './site.ts';

export const siteListRoutes = defineRoutes({
  listSites: {
    method: 'GET',
    path: '/prod-api/site',
    summary: 'List sites, newest first, with their deployment state.',
    access: { kind: 'both', permission: 'site.read' },
    query: siteSearch.extend({ ids: chosenIds }),
    response: listOf(site),
  },
  exportSites: {
    method: 'GET',
    path: '/prod-api/site/export',
    cost: 'expensive',
    summary:
      'Export the first `count` sites that match the filters, at most 10,000, as one JSON object per line. Fails if there are none.',
    access: { kind: 'both', permission: 'site.read' },
    query: z.strictObject({
      ...siteFilters,
      ...siteSorting,
      count: z.coerce.number().pipe(z.int().min(1).max(sitesExportedMax)).default(sitesExportedMax),
    }),
    transport: 'file',
    response: fileAnswer('application/jsonl'),
  },
});
