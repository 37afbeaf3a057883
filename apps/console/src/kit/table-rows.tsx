import { Box, Skeleton, Stack, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography } from '@mui/material';
import type { ReactTable, Row as TableRowModel } from '@tanstack/react-table';
import type { Column, TableFeaturesUsed } from './data-table.tsx';

interface TableRowsProps<Row extends object> {
  table: ReactTable<TableFeaturesUsed, Row>;
  look: ReadonlyMap<string, Column<Row>>;
  label: string;
  loading: boolean;
  onRowClick?: (row: Row) => void;
}

/** A click on the row opens it, except on what is itself a control. */
function opensRow(event: React.MouseEvent): boolean {
  return !(event.target as Element).closest('a, button, input, [role="menu"], [role="presentation"]');
}

export function TableGrid<Row extends object>({ table, look, label, loading, onRowClick }: TableRowsProps<Row>) {
  const columns = table.getVisibleLeafColumns();
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label}>
      <Table aria-label={label} sx={{ minWidth: 640 }}>
        <TableHead>
          {table.getHeaderGroups().map((group) => (
            <TableRow key={group.id}>
              {group.headers.map((header) => {
                const column = look.get(header.column.id);
                const isActions = header.column.id === 'actions';
                return (
                  <TableCell
                    key={header.id}
                    align={isActions ? 'right' : (column?.align ?? 'left')}
                    sx={{ width: isActions ? 64 : column?.width }}
                  >
                    <table.FlexRender header={header} />
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </TableHead>
        <TableBody>
          {loading && <SkeletonRows columns={columns.length} />}
          {table.getRowModel().rows.map((row) => (
            <TableRow
              key={row.id}
              hover
              sx={{ cursor: onRowClick ? 'pointer' : 'default', '&:last-child td': { borderBottom: 0 } }}
              {...(onRowClick ? { onClick: (event: React.MouseEvent) => opensRow(event) && onRowClick(row.original) } : {})}
            >
              {row.getVisibleCells().map((cell) => (
                <TableCell
                  key={cell.id}
                  align={cell.column.id === 'actions' ? 'right' : (look.get(cell.column.id)?.align ?? 'left')}
                  sx={{ py: cell.column.id === 'actions' ? 0.5 : 1.75 }}
                >
                  <table.FlexRender cell={cell} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 5 }, (_, row) => (
    <TableRow key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <TableCell key={column}>
          <Skeleton width={column === 0 ? '70%' : '50%'} />
        </TableCell>
      ))}
    </TableRow>
  ));
}

/** The same rows on a narrow screen: a card each, the first column as its heading. */
export function TableCards<Row extends object>({ table, label, loading, onRowClick }: TableRowsProps<Row>) {
  if (loading) return <Skeleton variant="rounded" height={160} sx={{ m: 2 }} />;
  return (
    <Stack role="list" aria-label={label}>
      {table.getRowModel().rows.map((row) => (
        <RowCard key={row.id} table={table} row={row} {...(onRowClick ? { onRowClick } : {})} />
      ))}
    </Stack>
  );
}

interface RowCardProps<Row extends object> {
  table: ReactTable<TableFeaturesUsed, Row>;
  row: TableRowModel<TableFeaturesUsed, Row>;
  onRowClick?: (row: Row) => void;
}

function RowCard<Row extends object>({ table, row, onRowClick }: RowCardProps<Row>) {
  const cells = row.getVisibleCells();
  const [heading, ...others] = cells.filter((cell) => cell.column.id !== 'actions');
  const actions = cells.find((cell) => cell.column.id === 'actions');
  return (
    <Box
      role="listitem"
      sx={{ p: 2, borderTop: 1, borderColor: 'divider' }}
      {...(onRowClick ? { onClick: (event: React.MouseEvent) => opensRow(event) && onRowClick(row.original) } : {})}
    >
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1 }}>
        <Typography component="div" variant="body2" sx={{ flex: 1, minWidth: 0, fontWeight: 600, overflowWrap: 'anywhere' }}>
          {heading && <table.FlexRender cell={heading} />}
        </Typography>
        {actions && <table.FlexRender cell={actions} />}
      </Stack>
      <Box sx={{ mt: 1, display: 'grid', gridTemplateColumns: 'minmax(80px, auto) 1fr', columnGap: 2, rowGap: 0.75 }}>
        {others.map((cell) => [
          <Typography key={`${cell.id}-label`} variant="body2" sx={{ color: 'text.secondary' }}>
            {String(cell.column.columnDef.header)}
          </Typography>,
          <Typography
            key={cell.id}
            component="div"
            variant="body2"
            sx={{ minWidth: 0, overflowWrap: 'anywhere', display: 'flex', justifyContent: 'flex-end', textAlign: 'right' }}
          >
            <Box sx={{ minWidth: 0, maxWidth: '100%' }}>
              <table.FlexRender cell={cell} />
            </Box>
          </Typography>,
        ])}
      </Box>
    </Box>
  );
}
