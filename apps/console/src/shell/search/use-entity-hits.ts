import type { SearchHit, SearchKind } from '@breakwater/contract';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { to, type Target } from '../../kit/links.ts';
import type { Hit } from './search-hits.tsx';
import { shellText } from '../shell.text.ts';
import { readableDomains } from '../../kit/domain-name.ts';

const debounceMs = 200;
const keywordMax = 100;

const targets: Record<SearchKind, (id: number) => Target> = {
  site: (id) => to.siteDetail({ id }),
  node: (id) => to.nodeDetail({ id }),
  client: (id) => to.clientDetail({ id }),
  product: (id) => to.productDetail({ id }),
  order: (id) => to.orderDetail({ id }),
};

/** What the server finds for a query once one stops typing; a newer query ends the older request. */
export function useEntityHits(query: string): { hits: Hit[]; loading: boolean; failed: boolean } {
  const { kinds } = useText(shellText).search;
  const wanted = query.trim().slice(0, keywordMax);
  const keyword = useDebounced(wanted);
  const enabled = keyword !== '' && wanted !== '';
  const { data, isFetching, error } = useApi('search', { query: { keyword } }, { enabled });
  const hits = (list: readonly SearchHit[]) =>
    list.map(({ kind, id, title, detail }) => ({
      title: readableDomains(title),
      detail: readableDomains(detail),
      href: targets[kind](id).to,
      group: kinds[kind],
    }));
  return {
    hits: enabled && data ? hits(data.hits) : [],
    loading: wanted !== '' && (isFetching || keyword !== wanted),
    failed: enabled && error !== null && !isFetching,
  };
}

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
