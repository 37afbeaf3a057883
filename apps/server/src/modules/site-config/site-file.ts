import {
  siteFileVersion,
  siteSectionNames,
  type SiteFile,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { ApiError, invalid, type FieldIssue } from '../../api-error.ts';
import type { Transaction } from '../../db/database.ts';
import type { Services } from '../../services.ts';
import type { Scope } from '../../scope.ts';
import { storedForm } from '../../site-values.ts';
import { maskDiff, withoutSecrets } from '../site-section/section-secrets.ts';
import { keepOwn, ownSection, parseSection, putSection } from '../site-section/section-value.ts';
import { changeSite, createSite, type Author, type Saved, type SiteWriter } from './site-write.ts';
import { diffJson } from '../site/site.rules.ts';
import { readConfig } from '../site/site.store.ts';

/** Sites as files: out without secrets, in with every error at its path. */

export type FilePart = 'domains' | SiteSection;

export async function exportSite({ db }: Services, scope: Scope, id: number): Promise<SiteFile> {
  const { config } = await readConfig(db, scope, id);
  const leftOut: string[] = [];
  const sections: SiteFile['sections'] = {};
  for (const name of siteSectionNames) {
    const value = withoutSecrets(ownSection(config, name), leftOut, name) as Record<string, unknown>;
    // Ids of certificates mean nothing elsewhere, and would be somebody else's.
    if (name === 'certificate_settings') {
      delete value['certificate_ids'];
      if (config[name].certificate_ids.length > 0) leftOut.push('certificate_settings.certificate_ids');
    }
    sections[name] = value;
  }
  return {
    format: 'breakwater-site',
    format_version: siteFileVersion,
    exported_at: new Date().toISOString(),
    domains: config.domains,
    sections,
    left_out: leftOut,
  };
}

export async function previewImport(
  { db }: Services,
  scope: Scope,
  id: number,
  { file, parts }: { file: SiteFile; parts: readonly FilePart[] },
) {
  const { version, config } = await readConfig(db, scope, id);
  return {
    version,
    diff: maskDiff(diffJson(storedForm(config), storedForm(withParts(config, file, parts)))),
  };
}

export function importSite(
  services: Services,
  author: Author,
  id: number,
  { version, file, parts }: { version: number; file: SiteFile; parts: readonly FilePart[] },
): Promise<Saved> {
  return atFilePaths(file, () =>
    changeSite(services, author, id, {
      section: 'import',
      version,
      path: 'file.sections',
      apply: (before) => withParts(before, file, parts),
    }),
  );
}

interface NewFromFile {
  file: SiteFile;
  order_id?: number | undefined;
  status?: 'online' | 'offline';
}

/** A new site, offline unless it is said otherwise: in one transaction it is made with its domains and origins and gets all that the file holds. */
export async function importNewSite(
  services: SiteWriter,
  author: Author,
  { file, order_id: orderId, status = 'offline' }: NewFromFile,
): Promise<{ id: number; task_id: number | null }> {
  if (file.domains === undefined) throw invalid('file.domains', 'required');
  const { domains } = file;
  checkNames(file);
  const path = 'file.sections.origin_server_config';
  const { origins } = parseSection('origin_server_config', file.sections['origin_server_config'], path);
  const make = async (tx: Transaction) => {
    const writer = { ...services, db: tx };
    const made = await createSite(writer, author, {
      domains,
      origin: origins[0]!.address,
      origin_port: origins[0]!.http_port,
      origin_protocol: 'http',
      other_origins: [],
      order_id: orderId,
    });
    const parts = siteSectionNames.filter((name) => name in file.sections);
    const saved = await changeSite(writer, author, made.id, {
      section: 'import',
      path: 'file.sections',
      apply: (before) => ({ ...withParts(before, file, parts), status }),
    });
    return { id: made.id, task_id: saved.task_id };
  };
  return atFilePaths(file, () => services.db.transaction(make));
}

/** The snapshot with parts of a file. What files do not hold, secrets and certificates, stays the site's. */
function withParts(before: SiteSnapshot, file: SiteFile, parts: readonly FilePart[]): SiteSnapshot {
  checkNames(file);
  let after = before;
  for (const part of new Set(parts)) {
    const path = part === 'domains' ? 'file.domains' : `file.sections.${part}`;
    const value = part === 'domains' ? file.domains : file.sections[part];
    if (value === undefined) throw invalid(path, 'required');
    if (part === 'domains') after = { ...after, domains: file.domains! };
    else after = putSection(after, part, withOwn(part, value, before), path);
  }
  return after;
}

function withOwn(part: SiteSection, value: unknown, before: SiteSnapshot): unknown {
  const kept = withoutSecrets(value);
  if (part !== 'certificate_settings' || typeof kept !== 'object') return keepOwn(part, kept, before);
  // A file that was written by hand may name certificates all the same.
  return { ...keepOwn(part, kept, before)!, certificate_ids: before.certificate_settings.certificate_ids };
}

/** A section this version does not know would be lost without a word. */
function checkNames({ sections }: SiteFile): void {
  const known: readonly string[] = siteSectionNames;
  const fields = Object.keys(sections).flatMap((name): FieldIssue[] =>
    known.includes(name) ? [] : [{ path: `file.sections.${name}`, issue: 'unknown_field' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

/** The rules that ask the database name a field without its section; in a file it stands in one. */
async function atFilePaths<Result>(file: SiteFile, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(
      error.error,
      error.fields.map(({ path, issue }) => ({ path: filePath(file, path), issue })),
    );
  }
}

function filePath({ sections }: SiteFile, path: string): string {
  if (path === 'origin') return 'file.sections.origin_server_config.origins.0.address';
  if (path.startsWith('domains')) return `file.${path}`;
  const [, field, rest = ''] = /^file\.sections\.([^.]+)(.*)$/.exec(path) ?? [];
  if (field === undefined || field in sections) return path;
  const home = Object.keys(sections).find((name) => field in (sections[name] as object));
  return home === undefined ? path : `file.sections.${home}.${field}${rest}`;
}
