import type { LineGroup } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import * as z from 'zod';
import { useMay } from '../../api/account.ts';
import type { Data, Row } from '../../api/client.ts';
import { useNodeOptions } from '../../api/options.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { MultiSelectInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section, SectionHeading } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useIdParam } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { LineGroupForm } from './line-group-form.tsx';
import { lineGroupText } from './line-group.text.ts';

export function LineGroupDetail() {
  const t = useText(lineGroupText);
  return (
    <DetailPage
      read={useApi('getLineGroup', { params: { id: useIdParam() } })}
      label={t.title}
      back={{ target: to.lineGroups(), label: t.title }}
      title={({ name }) => name}
      actions={(lineGroup) => <EditButton lineGroup={lineGroup} />}
    >
      {(lineGroup) => (
        <>
          <Overview lineGroup={lineGroup} />
          <BoundNodes id={lineGroup.id} />
        </>
      )}
    </DetailPage>
  );
}

function EditButton({ lineGroup }: { lineGroup: LineGroup }) {
  const kit = useText(kitText);
  const may = useMay();
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionButton
        icon="edit"
        variant="outlined"
        color="inherit"
        onClick={() => setOpen(true)}
        disabledReason={may('updateLineGroup') ? undefined : kit.noPermission}
      >
        {kit.edit}
      </ActionButton>
      {open && <LineGroupForm lineGroup={lineGroup} onClose={() => setOpen(false)} />}
    </>
  );
}

function Overview({ lineGroup }: { lineGroup: LineGroup }) {
  const t = useText(lineGroupText);
  return (
    <Section title={t.overview}>
      <Facts
        facts={[
          { label: t.nodes, value: lineGroup.node_count },
          {
            label: t.sites,
            value: (
              <TextLink target={to.sites({ line_group_id: lineGroup.id })}>{lineGroup.site_count}</TextLink>
            ),
          },
          { label: t.created, value: <Time at={lineGroup.created_at} /> },
          { label: t.description, value: lineGroup.description, wide: true },
        ]}
      />
    </Section>
  );
}

type BoundNode = Row<'listLineGroupNodes'>;

function BoundNodes({ id }: { id: number }) {
  const t = useText(lineGroupText);
  const kit = useText(kitText);
  const may = useMay();
  const [open, setOpen] = useState(false);
  const [paging, setPaging] = useState({ current_page: 1, page_size: 20 });
  const nodes = useApi('listLineGroupNodes', { params: { id }, query: paging }, { keepPrevious: true });
  // The binding is set as a whole, so the form needs all of it, not a page.
  const all = useApi('listLineGroupNodes', { params: { id }, query: { page_size: 200 } });
  const denied = may('bindNodes') ? undefined : kit.noPermission;
  const columns = useMemo<Column<BoundNode>[]>(
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
  const bind = (
    <ActionButton
      icon="node"
      variant="contained"
      onClick={() => setOpen(true)}
      disabledReason={denied ?? (all.data ? undefined : kit.loading)}
    >
      {t.bind}
    </ActionButton>
  );
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
        onPage={(change) => setPaging({ ...paging, current_page: 1, ...change })}
        empty={<EmptyState icon="node" title={t.noNodes} hint={t.noNodesHint} action={bind} />}
      />
      {open && all.data && <BindForm id={id} bound={all.data.list} onClose={() => setOpen(false)} />}
    </>
  );
}

const binding = z.object({ node_ids: z.array(z.int()) });

function BindForm({
  id,
  bound,
  onClose,
}: {
  id: number;
  bound: Data<'listLineGroupNodes'>['list'];
  onClose: () => void;
}) {
  const t = useText(lineGroupText);
  const change = useChange('bindNodes', [
    'listLineGroupNodes',
    'getLineGroup',
    'listLineGroups',
    'listNodes',
  ]);
  const form = useSchemaForm(binding, { node_ids: bound.map((node) => node.id) });
  const options = useNodeOptions();
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id }, body });
    notify.success(t.bindSaved);
    onClose();
  });
  return (
    <FormDrawer title={t.bind} form={form} onSubmit={submit} onClose={onClose}>
      <MultiSelectInput
        control={form.control}
        name="node_ids"
        label={t.bound}
        options={options}
        hint={t.boundHint}
      />
    </FormDrawer>
  );
}
