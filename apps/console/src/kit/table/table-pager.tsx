import { TablePagination } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../kit.text.ts';

export interface Paging {
  current_page?: number;
  page_size?: number;
}
interface TablePagerProps {
  page: { total: number; current_page: number; page_size: number };
  onPage: (paging: Paging) => void;
}

const sizes = [10, 20, 50, 100, 200];

export function TablePager({ page, onPage }: TablePagerProps) {
  const t = useText(kitText);
  const last = Math.max(0, Math.ceil(page.total / page.page_size) - 1);
  return (
    <TablePagination
      component="div"
      count={page.total}
      page={Math.min(page.current_page - 1, last)}
      rowsPerPage={page.page_size}
      // An address may name any size.
      rowsPerPageOptions={sizes.includes(page.page_size) ? sizes : [...sizes, page.page_size]}
      labelRowsPerPage={t.rowsPerPage}
      labelDisplayedRows={({ from, to, count }) => t.pageRange(from, to, count)}
      getItemAriaLabel={(type) => (type === 'previous' ? t.previousPage : t.nextPage)}
      onPageChange={(_, index) => onPage({ current_page: index + 1 })}
      onRowsPerPageChange={(event) => onPage({ page_size: Number(event.target.value) })}
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
