import { siteLevelRoutes } from '@breakwater/contract';
import type { JsonValue } from '@breakwater/contract/json-diff';
import { applySection, changeLevel, revisionValues, touchedBy } from './site-level-write.ts';
import {
  listLevelRevisions,
  nameOfLevel,
  presentLevel,
  presentLevelSection,
  readAboveLevel,
  readLevel,
} from './site-level.store.ts';
import { implement } from '../../plugins/implement.ts';

export const siteLevelModule = implement(siteLevelRoutes, {
  getSiteLevel: ({ services, query }) => presentLevel(services.db, query),
  getSiteLevelSection: async ({ services, query: { section, ...ref } }) => {
    await nameOfLevel(services.db, ref);
    const { version, values } = await readLevel(services.db, ref);
    const shown = presentLevelSection(section, values, await readAboveLevel(services.db, ref));
    return { version, ...shown, value: shown.value as Record<string, JsonValue> };
  },
  updateSiteLevelSection: async ({ services, session, query: { section, ...ref }, body }) => {
    return changeLevel(services, session, ref, {
      section,
      version: body.version,
      apply: (tx, { values }) => applySection(tx, ref, values, { section, ...body }),
    });
  },
  previewSiteLevelSection: async ({ services, query: { section, ...ref }, body }) => {
    await nameOfLevel(services.db, ref);
    const { values } = await readLevel(services.db, ref);
    return touchedBy(
      services.db,
      ref,
      values,
      await applySection(services.db, ref, values, { section, ...body }),
    );
  },
  listSiteLevelRevisions: ({ services, query }) => listLevelRevisions(services.db, query),
  previewSiteLevelRollback: async ({ services, query: ref, body }) => {
    const after = await revisionValues(services.db, ref, body.revision_id);
    return touchedBy(services.db, ref, (await readLevel(services.db, ref)).values, after);
  },
  rollbackSiteLevel: ({ services, session, query: ref, body }) =>
    changeLevel(services, session, ref, {
      section: 'rollback',
      version: body.version,
      apply: (tx) => revisionValues(tx, ref, body.revision_id),
    }),
});
