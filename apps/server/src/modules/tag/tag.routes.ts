import { tagRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { createTag, listTags, removeTag, tagSites, updateTag } from './tag.store.ts';

export const tagModule = implement(tagRoutes, {
  listTags: ({ services, scope, query }) => listTags(services.db, scope, query),
  createTag: async ({ services, scope, body }) => ({ id: await createTag(services.db, scope, body) }),
  updateTag: async ({ services, scope, params, body }) => {
    await updateTag(services.db, scope, params.id, body);
    return {};
  },
  removeTag: async ({ services, scope, params }) => {
    await removeTag(services.db, scope, params.id);
    return {};
  },
  tagSites: async ({ services, scope, body }) => ({
    site_count: await tagSites(services.db, scope, body),
  }),
});
