import type { LineGroup } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { Row } from '../../api/client.ts';
import { nodesOutside } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useDenial } from '../../frame/denial.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
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
  const columns = useColumns();
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
            offer(() => change.mutateAsync({ params: { id }, body: { add: unbound } })),
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
        filters={<SectionHeading title={t.bound} hint={t.boundHint} />}
        actions={lineGroup.node_count > 0 && bind}
        rowActions={(node) => [unbinding.action([node])]}
        batchActions={(rows) => [unbinding.action(rows)]}
        onPage={onPage}
        empty={<EmptyState icon="node" title={t.noNodes} hint={t.noNodesHint} action={bind} />}
      />
      {open && <BindForm id={id} onClose={() => setOpen(false)} />}
      {unbinding.dialog}
    </>
  );
}

function useColumns(): Column<BoundNode>[] {
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
    [t],
  );
}

const binding = z.object({ add: z.array(z.int()).min(1) });

function BindForm({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText(lineGroupText);
  const change = useChange('bindNodes');
  const offer = useUndo();
  const form = useSchemaForm(binding, { add: [] });
  const choices = useMemo(() => nodesOutside(id), [id]);
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id }, body });
    notify.success(
      t.bindSaved,
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
    </FormDrawer>
  );
}
