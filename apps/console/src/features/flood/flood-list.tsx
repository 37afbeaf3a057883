import { floodRoutes, floodStates } from '@breakwater/contract';
import { nodeChoices } from '../../api/options.ts';
import { packetText } from '../../domain/packet.text.ts';
import { choices, remoteFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { formatBitRate, formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useDuration } from '../../kit/time.tsx';
import { floodInterval, FloodStatus, lasted } from './flood-state.tsx';
import { floodText } from './flood.text.ts';
import { UncountedNodes } from './uncounted-nodes.tsx';

const floods = listOf('listFloods', floodRoutes.listFloods.query);
export const { firstRead } = floods;

const useColumns = floods.columns(floodText, (t, column) => [
  column.name(t.ip, ({ address }) => address, { target: ({ id }) => to.floodDetail({ id }) }),
  { id: 'status', header: t.status, cell: (flood) => <FloodStatus flood={flood} />, whole: true },
  {
    id: 'node',
    header: t.node,
    cell: ({ node_id, node_name }) => (
      <TextLink target={to.nodeDetail({ id: node_id })}>{node_name}</TextLink>
    ),
  },
  { id: 'kind', header: t.kind, cell: ({ kind }) => <AttackName kind={kind} /> },
  column.time('started_at', t.started, { relative: true }),
  { id: 'duration', header: t.duration, cell: (flood) => <Duration seconds={lasted(flood)} /> },
  {
    id: 'packets',
    header: t.packets,
    align: 'right',
    cell: ({ state, packets }) => (state === 'open' ? formatCount(packets) : '–'),
  },
  {
    id: 'peak_packets',
    header: t.peakPackets,
    align: 'right',
    cell: ({ peak_packets }) => formatCount(peak_packets),
  },
  {
    id: 'bits',
    header: t.bits,
    align: 'right',
    cell: ({ state, bits }) => (state === 'open' ? formatBitRate(bits) : '–'),
    hidden: true,
  },
  {
    id: 'peak_bits',
    header: t.peakBits,
    align: 'right',
    cell: ({ peak_bits }) => formatBitRate(peak_bits),
  },
]);

/** Attacks below HTTP at addresses of nodes, for operators; customers' sites are not named in such packets. */
export function FloodList() {
  const t = useText(floodText);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <LinkButton target={to.wafSetting()} icon="setting" variant="outlined" color="inherit">
          {t.thresholds}
        </LinkButton>
      }
    >
      <UncountedNodes />
      <ListTable
        id="floods"
        list={floods.use({ refetchInterval: floodInterval })}
        text={t}
        icon="flood"
        add={
          <LinkButton target={to.wafSetting()} icon="setting" variant="contained">
            {t.thresholds}
          </LinkButton>
        }
        columns={useColumns()}
        filters={[
          selectFilter('state', t.status, choices(floodStates, t.states)),
          remoteFilter('node_id', t.node, nodeChoices, { needs: 'listNodes' }),
          textFilter('address', t.ip),
        ]}
        rowName={({ address }) => address}
      />
    </Page>
  );
}

function AttackName({ kind }: { kind: keyof (typeof packetText)['zh']['attacks'] }) {
  return useText(packetText).attacks[kind];
}

function Duration({ seconds }: { seconds: number }) {
  return useDuration()(seconds);
}
