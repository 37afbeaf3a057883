import type { SiteDocument } from '@breakwater/contract/edge-document';

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
