import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { sampleRows } from '../sample.ts';
import { storyText } from './story.text.ts';
import { useSampleColumns } from './table.tsx';

/** 10,000 rows on one page: what the frame bench scrolls. */
export function VirtualRowsSection() {
  const t = useText(storyText);
  const list = useMemo(() => sampleRows(10_000), []);
  return (
    <DataTable
      label={t.tableVirtual}
      id="kit-virtual"
      columns={useSampleColumns()}
      rowKey={(row) => row.id}
      rowName={(row) => row.name}
      read={{
        data: { list, total: list.length, current_page: 1, page_size: list.length },
        error: null,
        isFetching: false,
        refetch: () => undefined,
      }}
      onPage={() => undefined}
      empty={null}
    />
  );
}
