import type { Node, NodeAddress } from '@breakwater/contract';
import { useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatBitRate, formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { SectionHeading } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { stateInterval } from './node-status.tsx';
import { nodeText } from './node.text.ts';

/** What came to each address of a node: what is usual, and where it is attacked. */
export function NodeAddresses({ node }: { node: Node }) {
  const t = useText(nodeText);
  const read = useApi('getNodeAddresses', { params: { id: node.id } }, { refetchInterval: stateInterval });
  const list = read.data?.list;
  // All are answered at once: one page, however many there are.
  const rows = list && { list, total: list.length, current_page: 1, page_size: Math.max(10, list.length) };
  return (
    <DataTable
      label={t.addressTraffic}
      id="node-address-traffic"
      columns={useColumns()}
      read={{ ...read, data: rows }}
      rowKey={({ address }) => address}
      rowName={({ address }) => address}
      onPage={() => undefined}
      heading={<SectionHeading title={t.addressTraffic} hint={t.addressTrafficHint} />}
      empty={<EmptyState icon="traffic" title={t.noAddressTraffic} hint={t.noAddressTrafficHint} />}
    />
  );
}

function useColumns(): Column<NodeAddress>[] {
  const t = useText(nodeText);
  return useMemo(
    () => [
      { id: 'address', header: t.ip, cell: ({ address }) => address },
      {
        id: 'packets',
        header: t.packetsPerSecond,
        align: 'right',
        cell: ({ packets }) => formatCount(packets),
      },
      {
        id: 'peak_packets',
        header: t.packetsPeak,
        align: 'right',
        cell: ({ peak_packets }) => formatCount(peak_packets),
      },
      { id: 'bits', header: t.bandwidth, align: 'right', cell: ({ bits }) => formatBitRate(bits) },
      {
        id: 'flood',
        header: t.flood,
        cell: ({ flood_id }) =>
          flood_id === null ? (
            '–'
          ) : (
            <TextLink target={to.floodDetail({ id: flood_id })}>
              <StatusChip tone="error" label={t.flooded} />
            </TextLink>
          ),
      },
    ],
    [t],
  );
}
