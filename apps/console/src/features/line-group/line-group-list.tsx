import { lineGroupRoutes, type LineGroup } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { LineGroupForm } from './line-group-form.tsx';
import { lineGroupText } from './line-group.text.ts';

const lineGroups = listOf('listLineGroups', lineGroupRoutes.listLineGroups.query);
export const { firstRead } = lineGroups;

const useColumns = lineGroups.columns(lineGroupText, (t, column) => [
  column.name(t.name, (row) => row.name, { target: (row) => to.lineGroupDetail({ id: row.id }) }),
  column.text('description', t.description),
  column.count('node_count', t.nodes),
  column.count('site_count', t.sites, (row) => to.sites({ line_group_id: row.id })),
  column.time('updated_at', t.updated),
]);

/** The line groups of the platform, for operators. Sites are at the one of their order. */
export function LineGroupList() {
  const t = useText(lineGroupText);
  const editing = useEditing<LineGroup>({
    create: 'createLineGroup',
    update: 'updateLineGroup',
    text: t,
    form: (row, close) => <LineGroupForm lineGroup={row} onClose={close} />,
  });
  const removal = useRemoval<LineGroup>('removeLineGroup', {
    text: t,
    body: (row) => t.removeBody(row.name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="line-groups"
        list={lineGroups.use()}
        text={t}
        icon="line-group"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={(row) => row.name}
        rowActions={(row) => [editing.action(row), removal.action(row)]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}
