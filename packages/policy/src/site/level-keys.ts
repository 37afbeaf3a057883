import type { DocumentKind, LevelDocument, SiteDocument } from '@breakwater/contract/edge-document';
import { noteAskedData, type AskedData } from '../access/asked-data.ts';
import { asksForKnown } from '../detect/settings.ts';

/** The key of a level's document. */
export function levelKey(level: string, target: number | undefined): string {
  return target === undefined ? level : `${level}-${target}`;
}

/** The documents that a site inherits from, the nearest first. */
export function levelKeysOf({
  client_id: client,
  product_id: product,
}: Pick<SiteDocument, 'client_id' | 'product_id'>): string[] {
  const keys = [levelKey('client', client)];
  if (product !== undefined) keys.push(levelKey('product', product));
  keys.push('global');
  return keys;
}

/** What decides on requests of a site besides its own document: its levels, and what its rules and theirs ask of. */
export function documentsBeside(
  site: SiteDocument,
  levels: readonly LevelDocument[],
): { kind: DocumentKind; key: string }[] {
  const documents: { kind: DocumentKind; key: string }[] = [];
  for (const key of levelKeysOf(site)) documents.push({ kind: 'level', key });
  const asked: AskedData = { lists: {}, places: false };
  noteAskedData(site, asked);
  let asksKnown = asksForKnown(site.used_system_rule);
  for (const level of levels) {
    noteAskedData(level, asked);
    if (asksForKnown(level.used_system_rule)) asksKnown = true;
  }
  for (const key of sortedNames(asked.lists)) documents.push({ kind: 'address_list', key });
  if (asked.places) documents.push({ kind: 'ip_data', key: 'ip' });
  if (asksKnown) documents.push({ kind: 'known_vulnerability', key: 'rules' });
  return documents;
}

function sortedNames(named: Record<string, boolean>): string[] {
  const names: string[] = [];
  for (const name in named) names.push(name);
  return names.sort();
}
