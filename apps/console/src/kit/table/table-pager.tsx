import { TablePagination } from '@mui/material';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';

export interface Paging {
  current_page?: number;
  page_size?: number;
}
interface TablePagerProps {
  page: { total: number; current_page: number; page_size: number };
  /** The page is the one before: the one that was asked for is on its way. */
  isOlder: boolean;
  onPage: (paging: Paging) => void;
}

const sizes = [10, 20, 50, 100, 200];

export function TablePager({ page, isOlder, onPage }: TablePagerProps) {
  const t = useText(kitText);
  const last = Math.max(0, Math.ceil(page.total / page.page_size) - 1);
  // Who goes on before the answer is there counts from what was asked for: two clicks are two pages.
  const [asked, setAsked] = useState<{ index: number; from: object }>();
  const index = isOlder && asked?.from === page ? asked.index : page.current_page - 1;
  return (
    <TablePagination
      component="div"
      count={page.total}
      page={Math.min(index, last)}
      rowsPerPage={page.page_size}
      // An address may name any size.
      rowsPerPageOptions={sizes.includes(page.page_size) ? sizes : [...sizes, page.page_size]}
      labelRowsPerPage={t.rowsPerPage}
      labelDisplayedRows={({ from, to, count }) => t.pageRange(from, to, count)}
      getItemAriaLabel={(type) => (type === 'previous' ? t.previousPage : t.nextPage)}
      onPageChange={(_, next) => {
        setAsked({ index: next, from: page });
        onPage({ current_page: next + 1 });
      }}
      onRowsPerPageChange={(event) => {
        setAsked(undefined);
        onPage({ page_size: Number(event.target.value) });
      }}
      sx={{
        borderTop: 1,
        borderColor: 'divider',
        '& .MuiTablePagination-toolbar': { pl: { xs: 1, sm: 2 } },
        // On one line with what stands beside it: a select of this kind has room for a line below its text alone.
        '& .MuiSelect-select.MuiTablePagination-select': { py: '2.5px' },
        // A phone has room for the range and the arrows.
        '& .MuiTablePagination-selectLabel, & .MuiTablePagination-input': {
          display: { xs: 'none', sm: 'inline-flex' },
        },
      }}
    />
  );
}
