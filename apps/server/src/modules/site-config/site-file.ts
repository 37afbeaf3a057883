import {
  siteFile,
  siteFileVersion,
  siteSectionNames,
  type FileAnswer,
  type SiteFile,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import { ApiError, invalid, type FieldIssue } from '../../api-error.ts';
import { declared } from '../../plugins/validation.ts';
import type { Services } from '../../services.ts';
import type { Scope } from '../../scope.ts';
import type { Author } from '../site-publish/site-publish.service.ts';
import {
  keepOwn,
  configDiff,
  ownIds,
  ownSection,
  putSection,
  withoutSecrets,
} from '../site-section/site-section.service.ts';
import { readConfig } from './site-config.store.ts';
import { changeSite, type Saved } from './site-write.ts';

/** Sites as files: out without secrets, in with every error at its path. */

export type FilePart = 'domains' | SiteSection;

export async function exportSite({ db }: Services, scope: Scope, id: number): Promise<FileAnswer> {
  const { config } = await readConfig(db, scope, id);
  const file = declared(siteFile, siteFileOf(config));
  return {
    name: `${config.domains[0] ?? id}.json`,
    content_type: 'application/json; charset=utf-8',
    content: `${JSON.stringify(file, null, 2)}\n`,
  };
}

function siteFileOf(config: SiteSnapshot): SiteFile {
  const leftOut: string[] = [];
  const sections: SiteFile['sections'] = {};
  for (const name of siteSectionNames) {
    const value = withoutSecrets(name, ownSection(config, name), leftOut) as Record<string, unknown>;
    // Ids of certificates mean nothing elsewhere, and would be somebody else's.
    for (const [field, ids] of Object.entries(ownIds(name, config))) {
      delete value[field];
      if ((ids as number[]).length > 0) leftOut.push(`${name}.${field}`);
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
  { db, secrets }: Services,
  scope: Scope,
  id: number,
  { file, parts }: { file: SiteFile; parts: readonly FilePart[] },
) {
  const { version, config } = await readConfig(db, scope, id);
  return {
    version,
    diff: configDiff(config, withParts(config, file, parts), secrets),
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

/** The snapshot with parts of a file. What files do not hold, secrets and certificates, stays the site's. */
export function withParts(before: SiteSnapshot, file: SiteFile, parts: readonly FilePart[]): SiteSnapshot {
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
  const own = keepOwn(part, withoutSecrets(part, value), before);
  const ids = ownIds(part, before);
  // A file that was written by hand may name certificates all the same.
  return Object.keys(ids).length > 0 && typeof own === 'object' ? { ...own, ...ids } : own;
}

/** A section this version does not know would be lost without a word. */
export function checkNames({ sections }: SiteFile): void {
  const known: readonly string[] = siteSectionNames;
  const fields = Object.keys(sections).flatMap((name): FieldIssue[] =>
    known.includes(name) ? [] : [{ path: `file.sections.${name}`, issue: 'unknown_field' }],
  );
  if (fields.length > 0) throw new ApiError('invalid_input', fields);
}

/** The rules that ask the database name a field without its section; in a file it stands in one. */
export async function atFilePaths<Result>(file: SiteFile, write: () => Promise<Result>): Promise<Result> {
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
