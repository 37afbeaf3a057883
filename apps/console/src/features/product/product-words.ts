import type { Product } from '@breakwater/contract';
import { formatMoney } from '../../kit/format.ts';
import type { Tone } from '../../kit/status-chip.tsx';
import type { productText } from './product.text.ts';

type Words = (typeof productText)['zh'];

/** The limits of a product by their names. */
export const limitsOf = (t: Words) =>
  [
    ['sites', t.sites],
    ['domains_per_site', t.domainsPerSite],
    ['ports_per_site', t.portsPerSite],
    ['certificates', t.certificates],
    ['address_lists', t.addressLists],
    ['address_list_entries', t.addressListEntries],
    ['refresh_urls_per_day', t.refreshUrls],
    ['refresh_folders_per_day', t.refreshFolders],
    ['prefetch_urls_per_day', t.prefetchUrls],
  ] as const;

export function priceOf(t: Words, price: number | null): string {
  if (price === null) return t.notSold;
  return price === 0 ? t.free : formatMoney(price);
}

export const statusOf = (t: Words, { delisted }: Product): { tone: Tone; label: string } =>
  delisted ? { tone: 'neutral', label: t.delisted } : { tone: 'success', label: t.onSale };
