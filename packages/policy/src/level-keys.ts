import type { DocumentKind, SiteDocument } from '@breakwater/contract/edge-document';

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

/** What decides on requests of a site besides its own document. */
export function documentsBeside(site: SiteDocument): { kind: DocumentKind; key: string }[] {
  const documents: { kind: DocumentKind; key: string }[] = [];
  for (const key of levelKeysOf(site)) documents.push({ kind: 'level', key });
  const named: Record<string, boolean> = {};
  let asksForPlaces = false;
  for (const rule of site.access_control?.rules ?? []) {
    for (const list of rule.address_lists) named[`${list}`] = true;
    if (rule.countries.length + rule.provinces.length + rule.carriers.length > 0) asksForPlaces = true;
  }
  for (const key of sortedNames(named)) documents.push({ kind: 'address_list', key });
  if (asksForPlaces) documents.push({ kind: 'ip_data', key: 'ip' });
  return documents;
}

function sortedNames(named: Record<string, boolean>): string[] {
  const names: string[] = [];
  for (const name in named) names.push(name);
  return names.sort();
}
