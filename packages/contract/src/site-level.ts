import * as z from 'zod';
import { dateTime, id, integerMax, json, listOf, listQuery, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { levelNames } from './edge-document.ts';
import { inheritance, levelSections, ownInput } from './site-inheritance.ts';
import { diffEntry, siteDelivery } from './site.ts';

/** Reading and writing what levels set: docs/levels.md. */

/** 0 before anything was set. */
const version = z.int().min(0).max(integerMax);
const levelRef = {
  level: z.enum(levelNames),
  target_id: z.coerce.number().pipe(z.int().min(0).max(integerMax)).default(0),
};
export const levelTarget = z.strictObject(levelRef);
export type LevelRef = z.infer<typeof levelTarget>;
const section = z.enum(levelSections);
const saved = z.strictObject({ version, task_id: id.nullable() });
const value = z.record(inputText(), json);

export const siteLevel = z.strictObject({
  level: z.enum(levelNames),
  /** The product or the customer; 0 for the platform. */
  target_id: z.int(),
  /** Of the product or the customer. */
  name: z.string(),
  /** 0 before anything was set. */
  version,
  /** What is set here: `security.rate`. */
  own: z.array(z.string()),
  /** Sites it is for, whatever they set themselves. */
  sites: z.int(),
  delivery: siteDelivery,
  updated_at: dateTime.nullable(),
});

export const siteLevelRevision = z.strictObject({
  id,
  version,
  section: z.enum([...levelSections, 'rollback']),
  author_name: z.string(),
  created_at: dateTime,
  diff: z.array(diffEntry),
});
export type SiteLevelRevision = z.infer<typeof siteLevelRevision>;

/** How many sites a change would touch, before it is made. */
const touched = z.strictObject({
  /** Fields that would say something else. */
  fields: z.array(z.string()),
  /** Sites that have one of them from this level. */
  sites: z.int(),
  /** From what the level sets now. */
  diff: z.array(diffEntry),
});

export const siteLevelRoutes = defineRoutes({
  getSiteLevel: {
    method: 'GET',
    path: '/prod-api/site_level',
    summary: 'Get what a level sets, how many sites inherit it, and its deployment.',
    access: { kind: 'admin', permission: 'site_level.read' },
    query: levelTarget,
    response: siteLevel,
  },
  getSiteLevelSection: {
    method: 'GET',
    path: '/prod-api/site_level/config',
    summary: 'Get one section of a level, and where the values it does not set are inherited from.',
    access: { kind: 'admin', permission: 'site_level.read' },
    query: z.strictObject({ ...levelRef, section }),
    response: z.strictObject({ version, value: z.record(z.string(), z.json()), ...inheritance }),
  },
  updateSiteLevelSection: {
    method: 'PUT',
    path: '/prod-api/site_level/config',
    summary: 'Set fields of a section for all sites of a level. Sites with their own values keep them.',
    access: { kind: 'admin', permission: 'site_level.write' },
    query: z.strictObject({ ...levelRef, section }),
    body: z.strictObject({ version, value, own: ownInput }),
    bodyBytesMax: 2 * 1024 * 1024,
    response: saved,
  },
  previewSiteLevelSection: {
    method: 'POST',
    path: '/prod-api/site_level/preview',
    summary: 'Count the sites that a change of a level would affect.',
    access: { kind: 'admin', permission: 'site_level.write' },
    query: z.strictObject({ ...levelRef, section }),
    body: z.strictObject({ value, own: ownInput }),
    bodyBytesMax: 2 * 1024 * 1024,
    response: touched,
    unlogged: true,
  },
  listSiteLevelRevisions: {
    method: 'GET',
    path: '/prod-api/site_level/revision',
    summary: 'List the versions of a level, newest first.',
    access: { kind: 'admin', permission: 'site_level.read' },
    query: listQuery(levelRef),
    response: listOf(siteLevelRevision),
  },
  previewSiteLevelRollback: {
    method: 'POST',
    path: '/prod-api/site_level/rollback/preview',
    summary: 'Count the sites that rolling back a level would affect.',
    access: { kind: 'admin', permission: 'site_level.write' },
    query: levelTarget,
    body: z.strictObject({ revision_id: id }),
    response: touched,
    unlogged: true,
  },
  rollbackSiteLevel: {
    method: 'POST',
    path: '/prod-api/site_level/rollback',
    summary: 'Roll a level back to an earlier version. This creates a new version.',
    access: { kind: 'admin', permission: 'site_level.write' },
    query: levelTarget,
    body: z.strictObject({ version, revision_id: id }),
    response: saved,
  },
});
