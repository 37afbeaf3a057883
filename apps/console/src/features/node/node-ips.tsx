import { ipAddress, type Node } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { Row } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useRemoval } from '../../frame/asking.tsx';
import { useDenial } from '../../frame/denial.ts';
import { useUndo } from '../../frame/undo.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { CopyText } from '../../kit/copy-text.tsx';
import { DataTable, type Column } from '../../kit/table/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { usePaging } from '../../kit/table/use-paging.ts';
import { nodeText } from './node.text.ts';

type NodeIp = Row<'listNodeIps'>;

/** The addresses at which visitors reach the node. One that is disabled is not given to visitors. */
export function NodeIps({ node }: { node: Node }) {
  const t = useText(nodeText);
  const [paging, onPage] = usePaging('node-ips');
  const ips = useApi('listNodeIps', { query: { node_id: node.id, ...paging } }, { keepPrevious: true });
  const denial = useDenial();
  const { mutate: update, mutateAsync: updateBack } = useChange('updateNodeIp');
  const offer = useUndo();
  const [adding, setAdding] = useState(false);
  const removal = useRemoval<NodeIp>('removeNodeIp', {
    text: { removeTitle: t.removeIpTitle, removed: t.ipRemoved },
    body: ({ ip }) => t.removeIpBody(ip),
  });
  const columns = useMemo<Column<NodeIp>[]>(
    () => [
      { id: 'ip', header: t.ip, cell: (row) => <CopyText text={row.ip} label={t.ip} /> },
      {
        id: 'enabled',
        header: t.status,
        cell: (row) => (
          <StatusChip
            tone={row.enabled ? 'success' : 'neutral'}
            label={row.enabled ? t.enabled : t.disabled}
          />
        ),
      },
      { id: 'created', header: t.created, cell: (row) => <Time at={row.created_at} /> },
    ],
    [t],
  );
  // Done at once, since it can be taken back.
  const toggle = (row: NodeIp) =>
    update(
      { params: { id: row.id }, body: { enabled: !row.enabled } },
      {
        onSuccess: () =>
          notify.success(
            t.ipChanged,
            offer(() => updateBack({ params: { id: row.id }, body: { enabled: row.enabled } })),
          ),
        onError: (error) => notify.refused(error.message),
      },
    );
  const add = (
    <ActionButton
      icon="add"
      variant="outlined"
      color="inherit"
      size="small"
      onClick={() => setAdding(true)}
      disabledReason={denial('createNodeIp')}
    >
      {t.addIp}
    </ActionButton>
  );
  return (
    <>
      <DataTable
        label={t.ips}
        id="node-ips"
        columns={columns}
        read={ips}
        rowKey={(row) => row.id}
        rowName={(row) => row.ip}
        onPage={onPage}
        heading={<SectionHeading title={t.ips} hint={t.ipsHint} />}
        actions={add}
        empty={<EmptyState icon="address-list" title={t.ips} hint={t.ipsHint} action={add} />}
        rowActions={(row) => [
          {
            label: row.enabled ? t.disable : t.enable,
            icon: row.enabled ? 'hide' : 'check',
            onClick: () => toggle(row),
            disabledReason: denial('updateNodeIp'),
          },
          // A node without an address would get no visitors, and no name would lead to it.
          removal.action(row, ips.data?.total === 1 && t.lastIp),
        ]}
      />
      {adding && <IpForm node={node} onClose={() => setAdding(false)} />}
      {removal.dialog}
    </>
  );
}

const ipInput = z.object({ ip: ipAddress });

function IpForm({ node, onClose }: { node: Node; onClose: () => void }) {
  const t = useText(nodeText);
  const create = useChange('createNodeIp');
  const form = useSchemaForm(ipInput, { ip: '' });
  const submit = submitForm(form, async ({ ip }) => {
    await create.mutateAsync({ body: { node_id: node.id, ip } });
    notify.success(t.ipAdded);
    onClose();
  });
  return (
    <FormDrawer title={t.addIp} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={form.control} name="ip" label={t.ip} autoFocus />
    </FormDrawer>
  );
}
