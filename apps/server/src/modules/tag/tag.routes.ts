import { tagRoutes, tagsMax } from '@breakwater/contract';
import { and, asc, eq, sql } from 'drizzle-orm';
import { crud } from '../../crud.ts';
import { contains, countOf } from '../../db/page.ts';
import { siteTag, tag } from '../../db/schema.ts';
import { implement } from '../../plugins/implement.ts';
import { tagSites } from './tag.store.ts';

export const tagModule = implement(tagRoutes, {
  ...crud(tagRoutes, 'Tag', 'Tags', {
    table: tag,
    subject: 'tag',
    orderBy: [sql`${tag.clientId} NULLS FIRST`, asc(tag.name)],
    filter: ({ name, client_id }) =>
      and(contains(tag.name, name), client_id ? eq(tag.clientId, client_id) : undefined),
    constraints: { tag_client_name_unique: ['name', 'name_taken'] },
    most: tagsMax,
    fields: { site_count: countOf(siteTag, eq(siteTag.tagId, tag.id)) },
  }),
  tagSites: ({ services, scope, body }) => tagSites(services.db, scope, body),
});
