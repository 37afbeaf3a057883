import * as z from 'zod';
import { created, id, idParams, inputText, json, siteDomains, time, version } from './common.ts';
import { defineRoutes } from './define.ts';
import { fileAnswer, jsonFile } from './file.ts';
import { siteSectionNames } from './site-config.ts';
import { siteSelection } from './site-selection.ts';
import { diffEntry, siteRevision } from './site.ts';

export const siteFileVersion = 1;

/**
 * A site as a file. Its sections are judged one by one where it is taken in, so that each error has its path; those that
 * are absent stay as they are.
 */
export const siteFile = z.strictObject({
  format: z.literal('breakwater-site'),
  format_version: z.literal(siteFileVersion),
  exported_at: time.optional(),
  domains: siteDomains.optional(),
  sections: z.record(inputText(), json),
  /** Paths of what the file does not hold: secrets, and certificates, which are known on this platform only. */
  left_out: z.array(inputText()).default([]),
});
export type SiteFile = z.infer<typeof siteFile>;

/** What of a file is taken over. */
const parts = z.array(z.enum(['domains', ...siteSectionNames])).min(1);
const saved = z.strictObject({ version, task_id: id.nullable() });
const file = jsonFile(siteFile, 1024 * 1024);
const versionText = z.coerce.number().pipe(version);
const comparedVersion = siteRevision.pick({
  version: true,
  section: true,
  author_type: true,
  author_name: true,
  created_at: true,
});

export const siteVersionRoutes = defineRoutes({
  compareSiteVersions: {
    method: 'GET',
    path: '/prod-api/site/{id}/revision/compare',
    summary: 'Compare two versions of a site.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    query: z.strictObject({ from: versionText, to: versionText }),
    response: z.strictObject({ from: comparedVersion, to: comparedVersion, diff: z.array(diffEntry) }),
  },
  exportSite: {
    method: 'GET',
    path: '/prod-api/site/{id}/export_config',
    summary: 'Export a site as a file, without secrets and certificates. `left_out` lists what is missing.',
    access: { kind: 'both', permission: 'site.read' },
    params: idParams,
    transport: 'file',
    response: fileAnswer('application/json'),
  },
  previewSiteImport: {
    method: 'POST',
    path: '/prod-api/site/{id}/import_preview',
    summary: 'Preview the changes of importing sections of a file into a site.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    transport: 'file',
    body: z.strictObject({ file, parts }),
    unlogged: true,
    response: z.strictObject({ version, diff: z.array(diffEntry) }),
  },
  importSite: {
    method: 'POST',
    path: '/prod-api/site/{id}/import_config',
    summary: 'Import sections of a file into a site.',
    access: { kind: 'both', permission: 'site.write' },
    params: idParams,
    transport: 'file',
    body: z.strictObject({ version, file, parts }),
    response: saved,
  },
});

/** A site that is new. */
export const siteImportRoutes = defineRoutes({
  importNewSite: {
    method: 'POST',
    path: '/prod-api/site/import',
    summary: 'Create a site from a file. It starts offline.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    transport: 'file',
    body: z.strictObject({ file, order_id: id.optional() }),
    response: z.strictObject({ id, task_id: id.nullable() }),
  },
});

/** From one site to others: a batch. */
export const siteCopyRoutes = defineRoutes({
  copySiteSection: {
    method: 'POST',
    path: '/prod-api/site/{id}/copy_section',
    summary: 'Copy a section of a site, or some of its fields, to other sites as a batch operation.',
    access: { kind: 'both', permission: 'site.write', sites: false },
    params: idParams,
    body: z.strictObject({
      section: z.enum(siteSectionNames),
      fields: z.array(inputText().max(100)).max(100).default([]),
      sites: siteSelection,
    }),
    bodyBytesMax: 1024 * 1024,
    response: created,
  },
});
