import { logIndexKinds, logStoreRoutes } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useMemo } from 'react';
import type { Row } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Bytes } from '../../kit/amounts.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { formatCount } from '../../kit/format.ts';
import { SectionHeading } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { healthTones } from './health-tones.ts';
import { logStoreText } from './log-store.text.ts';

type IndexRow = Row<'listLogIndices'>;

/** Indices of a cluster, or days and tables of a file. */
export function LogIndices() {
  const t = useText(logStoreText);
  const [search, setSearch] = useSearchState(logStoreRoutes.listLogIndices.query);
  const indices = useApi('listLogIndices', { query: search }, { keepPrevious: true });
  const columns = useMemo<Column<IndexRow>[]>(
    () => [
      { id: 'name', header: t.name, cell: (index) => index.name },
      { id: 'kind', header: t.kind, cell: (index) => t.kinds[index.kind] },
      { id: 'rows', header: t.rows, align: 'right', cell: (index) => formatCount(index.rows) },
      { id: 'size', header: t.size, align: 'right', cell: (index) => <Bytes value={index.bytes} /> },
      { id: 'begins', header: t.begins, cell: (index) => <Time at={index.begins} /> },
      {
        id: 'health',
        header: t.health,
        cell: (index) => (
          <StatusChip
            tone={healthTones[index.health]}
            label={t.healths[index.health]}
            hint={t.healthHints[index.health]}
          />
        ),
      },
    ],
    [t],
  );
  return (
    <Stack sx={{ gap: 2 }}>
      <Box>
        <SectionHeading title={t.indices} hint={t.indicesHint} />
      </Box>
      <DataTable
        label={t.indices}
        id="log_indices"
        columns={columns}
        read={indices}
        rowKey={(index) => index.name}
        rowName={(index) => index.name}
        onPage={setSearch}
        filtered={search.kind !== undefined}
        filters={
          <FilterBar
            fields={[
              {
                name: 'kind',
                label: t.kind,
                kind: 'select',
                options: logIndexKinds.map((kind) => ({ value: kind, label: t.kinds[kind] })),
                inBar: true,
              },
            ]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="log" title={t.empty} hint={t.emptyHint} />}
      />
    </Stack>
  );
}
