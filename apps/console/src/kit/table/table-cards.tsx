import { Box, Checkbox, Skeleton, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { CellContent } from './grid-row.tsx';
import { opensRow, type TableModel, type TableRow } from './table-model.ts';
import { tableText } from './table.text.ts';

/** The rows on a narrow screen: a card each, the first column as its heading. */
export function TableCards<Row extends object>({ model }: { model: TableModel<Row> }) {
  if (model.loading) return <Skeleton variant="rounded" height={160} sx={{ m: 2 }} />;
  return (
    <Stack role="list" aria-label={model.label}>
      {model.rows.map((row) => (
        <RowCard key={row.id} model={model} row={row} />
      ))}
    </Stack>
  );
}

function RowCard<Row extends object>({ model, row }: { model: TableModel<Row>; row: TableRow<Row> }) {
  const t = useText(tableText);
  const { columns, rowName, actions, selection, batched, expansion, density, onRowClick } = model;
  const [heading, ...others] = columns;
  const name = rowName(row.original);
  const expanded = expansion?.has(row.id) ?? false;
  return (
    <Box
      role="listitem"
      data-row={row.id}
      tabIndex={-1}
      {...(onRowClick ? { className: 'opens' } : {})}
      // Cards out of sight cost no layout.
      sx={{
        p: density === 'compact' ? 1.25 : 2,
        borderTop: 1,
        borderColor: 'divider',
        contentVisibility: 'auto',
        containIntrinsicSize: 'auto 180px',
        '& .copy': {
          font: 'inherit',
          color: 'inherit',
          lineHeight: 0,
          p: 0.5,
          border: 0,
          background: 'none',
        },
      }}
      {...(onRowClick
        ? { onClick: (event: React.MouseEvent) => opensRow(event) && onRowClick(row.original) }
        : {})}
    >
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1 }}>
        {batched && selection && (
          <Checkbox
            size="small"
            sx={{ p: 0.25 }}
            checked={selection.has(row.id)}
            onChange={(event) => selection.set([row.id], event.target.checked)}
            slotProps={{ input: { 'aria-label': t.select(name) } }}
          />
        )}
        <Typography
          component="div"
          variant="body2"
          data-column={heading?.id}
          sx={{
            flex: 1,
            minWidth: 0,
            fontWeight: 600,
            overflowWrap: 'anywhere',
            ...threeLines,
            maxHeight: 96,
          }}
        >
          {heading && <CellContent column={heading} row={row.original} />}
        </Typography>
        {expansion && (
          <ActionIcon
            icon={expanded ? 'minus' : 'down'}
            label={expanded ? t.collapse(name) : t.expand(name)}
            expanded={expanded}
            onClick={() => expansion.set([row.id], !expanded)}
          />
        )}
        {actions?.(row.original)}
      </Stack>
      <Box
        sx={{
          mt: 1,
          display: 'grid',
          // A long label gives way to the value: a time does not break.
          gridTemplateColumns: 'fit-content(40%) minmax(0, 1fr)',
          columnGap: 2,
          rowGap: 0.75,
        }}
      >
        {others.map((column) => [
          <Typography key={`${column.id}-label`} variant="body2" sx={{ color: 'text.secondary' }}>
            {column.header}
          </Typography>,
          <Typography
            key={column.id}
            component="div"
            variant="body2"
            sx={{
              minWidth: 0,
              overflowWrap: 'anywhere',
              display: 'flex',
              justifyContent: 'flex-end',
              textAlign: 'right',
            }}
          >
            <Box
              data-column={column.id}
              sx={{ minWidth: 0, maxWidth: '100%', ...(column.wraps ? {} : threeLines) }}
            >
              <CellContent column={column} row={row.original} />
            </Box>
          </Typography>,
        ])}
      </Box>
      {expanded && <Box sx={{ mt: 2 }}>{expansion?.content(row.original)}</Box>}
    </Box>
  );
}

/** What a visitor sent may be long: the rest is scrolled to. Sentences of our own are read whole. */
const threeLines = { maxHeight: 66, overflowY: 'auto', unicodeBidi: 'plaintext' } as const;
