import { nodeLevels, type LineGroup, type NodeLevel } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { Row } from '../../api/client.ts';
import { nodesOutside } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useRowAction } from '../../frame/row-action.ts';
import { useDenial } from '../../frame/denial.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { SelectInput } from '../../kit/fields/inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { to } from '../../kit/links.ts';
import { SectionHeading } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { usePaging } from '../../kit/table/use-paging.ts';
import { lineGroupText } from './line-group.text.ts';

type BoundNode = Row<'listLineGroupNodes'>;

/** The nodes of a line group, a page at a time; some are bound or unbound, and the others are left alone. */
export function LineGroupNodes({ lineGroup }: { lineGroup: LineGroup }) {
  const t = useText(lineGroupText);
  const denied = useDenial()('bindNodes');
  const [open, setOpen] = useState(false);
  const [paging, onPage] = usePaging('line-group-nodes', 20);
  const { id } = lineGroup;
  const nodes = useApi('listLineGroupNodes', { params: { id }, query: paging }, { keepPrevious: true });
  const change = useChange('bindNodes');
  const offer = useUndo();
  // A call binds nodes at one level; those that were unbound may have had different ones.
  const bindAgain = async (rows: readonly BoundNode[]) => {
    for (const level of nodeLevels) {
      const add = rows.filter((node) => node.level === level).map((node) => node.id);
      if (add.length > 0) await change.mutateAsync({ params: { id }, body: { add, level } });
    }
  };
  const columns = useColumns(lineGroup.l2_enable);
  const setLevel = useSetLevel(id);
  const bind = (
    <ActionButton icon="node" variant="contained" onClick={() => setOpen(true)} disabledReason={denied}>
      {t.bind}
    </ActionButton>
  );
  const unbinding = useRowDialog<readonly BoundNode[]>({
    route: 'bindNodes',
    label: t.unbind,
    icon: 'minus',
    destructive: true,
    render: (rows, close) => (
      <Confirm
        title={t.unbindTitle}
        body={t.unbindBody(rows.map(({ name }) => name))}
        action={t.unbind}
        onConfirm={async () => {
          const unbound = rows.map((node) => node.id);
          await change.mutateAsync({ params: { id }, body: { remove: unbound } });
          notify.success(
            t.unbound,
            offer(() => bindAgain(rows)),
          );
        }}
        onClose={close}
      />
    ),
  });
  return (
    <>
      <DataTable
        label={t.bound}
        id="line-group-nodes"
        columns={columns}
        read={nodes}
        rowKey={(node) => node.id}
        rowName={(node) => node.name}
        heading={<SectionHeading title={t.bound} hint={t.boundHint} />}
        actions={lineGroup.node_count > 0 && bind}
        rowActions={(node) => [setLevel(node), unbinding.action([node])]}
        batchActions={(rows) => [unbinding.action(rows)]}
        onPage={onPage}
        empty={<EmptyState icon="node" title={t.noNodes} hint={t.noNodesHint} action={bind} />}
      />
      {open && <BindForm id={id} onClose={() => setOpen(false)} />}
      {unbinding.dialog}
    </>
  );
}

/** Moves a node to the other level. */
function useSetLevel(id: number): (node: BoundNode) => RowAction {
  const t = useText(lineGroupText);
  const actionTo = (level: NodeLevel, label: string) => ({
    label,
    icon: 'direction' as const,
    argumentsOf: (node: BoundNode) => ({ params: { id }, body: { add: [node.id], level } }),
    onDone: () => notify.success(t.levelSaved),
  });
  const toL1 = useRowAction('bindNodes', actionTo('L1', t.toL1));
  const toL2 = useRowAction('bindNodes', actionTo('L2', t.toL2));
  return (node) => (node.level === 'L2' ? toL1 : toL2).action(node);
}

function useColumns(isL2: boolean): Column<BoundNode>[] {
  const t = useText(lineGroupText);
  return useMemo(
    () => [
      {
        id: 'name',
        header: t.node,
        cell: (node) => <TextLink target={to.nodeDetail({ id: node.id })}>{node.name}</TextLink>,
      },
      { id: 'ip', header: t.ip, cell: (node) => node.ip },
      {
        id: 'level',
        header: t.level,
        // The node has not yet said that it answers other nodes: until then they ask the origins.
        cell: ({ level, shield_ready: isReady }) =>
          isL2 && level === 'L2' && !isReady ? (
            <StatusChip tone="warning" label={t.l2NotReady} />
          ) : (
            t.levels[level]
          ),
      },
      {
        id: 'enabled',
        header: t.state,
        cell: (node) => (
          <StatusChip
            tone={node.enabled ? 'success' : 'neutral'}
            label={node.enabled ? t.enabled : t.disabled}
          />
        ),
      },
    ],
    [t, isL2],
  );
}

const binding = z.object({ add: z.array(z.int()).min(1), level: z.enum(nodeLevels) });

/** Adds nodes to the line group; those that it has are not offered, and are left alone. */
function BindForm({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(lineGroupText);
  const change = useChange('bindNodes');
  const offer = useUndo();
  const form = useSchemaForm(binding, { add: [], level: 'L1' });
  const choices = useMemo(() => nodesOutside(id), [id]);
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id }, body });
    notify.success(
      t.bindSaved,
      // Exactly those that were added, whatever was bound besides since.
      offer(() => change.mutateAsync({ params: { id }, body: { remove: body.add } })),
    );
    onClose();
  });
  return (
    <FormDrawer title={t.bind} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.bindSubmit}>
      <RemoteMultiSelect
        control={form.control}
        name="add"
        label={t.unboundNodes}
        choices={choices}
        hint={t.unboundHint}
      />
      <SelectInput
        control={form.control}
        name="level"
        label={t.level}
        hint={t.levelHint}
        options={nodeLevels.map((value) => ({ value, label: t.levels[value] }))}
      />
    </FormDrawer>
  );
}
