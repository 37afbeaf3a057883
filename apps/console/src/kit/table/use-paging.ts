import { useState } from 'react';
import { pageSizeName, pageSizeOf } from '../../api/page-size.ts';
import { useRemembered } from '../remembered.ts';
import type { Paging } from './table-pager.tsx';

/** The page of a list that is a part of a screen, and not in its address. The size that was chosen is that of the next visit. */
export function usePaging(list: string, size = 10) {
  const [chosen, choose] = useRemembered(pageSizeName(list), pageSizeOf, undefined);
  const [page, setPage] = useState(1);
  const onPage = ({ current_page = 1, page_size }: Paging) => {
    setPage(current_page);
    if (page_size !== undefined) choose(page_size);
  };
  return [{ current_page: page, page_size: chosen ?? size }, onPage] as const;
}
