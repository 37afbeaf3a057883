import { logIndexKinds, logStoreRoutes } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { choices, selectFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Bytes } from '../../kit/amounts.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { healthTones } from './health-tones.ts';
import { logStoreText } from './log-store.text.ts';

const indices = listOf('listLogIndices', logStoreRoutes.listLogIndices.query);

const useColumns = indices.columns(logStoreText, (t, column) => [
  column.name(t.name, (index) => index.name),
  { id: 'kind', header: t.kind, cell: (index) => t.kinds[index.kind] },
  column.count('rows', t.rows),
  { id: 'size', header: t.size, align: 'right', cell: (index) => <Bytes value={index.bytes} /> },
  column.time('begins', t.begins),
  column.status(t.health, ({ health }) => ({
    tone: healthTones[health],
    label: t.healths[health],
    hint: t.healthHints[health],
  })),
]);

/** Indices of a cluster, or days and tables of a file. */
export function LogIndices() {
  const t = useText(logStoreText);
  return (
    <Stack sx={{ gap: 2 }}>
      <Box>
        <SectionHeading title={t.indices} hint={t.indicesHint} />
      </Box>
      <ListTable
        id="log_indices"
        list={indices.use()}
        text={{ ...t, title: t.indices }}
        icon="database"
        columns={useColumns()}
        filters={[selectFilter('kind', t.kind, choices(logIndexKinds, t.kinds))]}
        rowKey={(index) => index.name}
        rowName={(index) => index.name}
      />
    </Stack>
  );
}
