import { nodeRoutes, type Node } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { areaChoices, lineGroupChoices } from '../../api/options.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { remoteFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Meter } from '../../kit/meter.tsx';
import { Page } from '../../kit/page.tsx';
import { NodeForm } from './node-form.tsx';
import { NodeStatus, stateInterval } from './node-status.tsx';
import { nodeText } from './node.text.ts';

const nodes = listOf('listNodes', nodeRoutes.listNodes.query);
export const { firstRead } = nodes;

const useColumns = nodes.columns(nodeText, (t, column) => [
  column.name(t.name, ({ name }) => name, {
    target: ({ id }) => to.nodeDetail({ id }),
    note: ({ ip }) => ip,
  }),
  { id: 'status', header: t.status, cell: (node) => <NodeStatus node={node} />, whole: true },
  column.text('area_name', t.area),
  { id: 'load', header: t.load, width: 320, wraps: true, whole: true, cell: (node) => <Load node={node} /> },
  {
    id: 'connections',
    header: t.connections,
    align: 'right',
    cell: ({ state }) => (state ? formatCount(state.connections) : '–'),
  },
  {
    id: 'lineGroups',
    header: t.lineGroups,
    cell: (node) => node.line_groups.map(({ name }) => name).join(', ') || '–',
  },
  column.text('agent_version', t.version, { hidden: true }),
  column.time('status_time', t.lastReport, { relative: true }),
]);

/** All nodes with their live state. 200 of them are one page, by the specification (§9). */
export function NodeList() {
  const t = useText(nodeText);
  const list = nodes.use({ refetchInterval: stateInterval });
  const editing = useEditing<Node>({
    create: 'createNode',
    update: 'updateNode',
    text: t,
    form: (node, close) => <NodeForm node={node} areaId={list.search.area_id} onClose={close} />,
  });
  const removal = useRemoval<Node>('removeNode', { text: t, body: ({ name }) => t.removeBody(name) });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="nodes"
        list={list}
        text={t}
        icon="node"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          textFilter('ip', t.ip),
          remoteFilter('area_id', t.area, areaChoices, { folded: true, needs: 'listAreas' }),
          remoteFilter('line_group_id', t.lineGroup, lineGroupChoices, {
            folded: true,
            needs: 'listLineGroups',
          }),
        ]}
        rowName={({ name }) => name}
        rowActions={(node) => [
          editing.action(node),
          // One that serves sites is taken out of its line groups first.
          removal.action(node, node.line_groups.length > 0 && t.isBound),
        ]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}

function Load({ node: { state } }: { node: Node }) {
  const t = useText(nodeText);
  if (!state) return '–';
  return (
    <Stack
      sx={{
        flexDirection: { xs: 'column', sm: 'row' },
        gap: { xs: 0.5, sm: 1 },
        '& > *': { flex: 1, minWidth: { xs: 120, sm: 92 } },
      }}
    >
      <Meter label={t.cpu} share={state.cpu_share} />
      <Meter label={t.memory} share={state.memory_used / Math.max(1, state.memory_total)} />
      <Meter label={t.disk} share={state.disk_used / Math.max(1, state.disk_total)} />
    </Stack>
  );
}
