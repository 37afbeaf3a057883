import { adminGroupRoutes, adminPermissions, type AdminGroup } from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useEditing } from '../../frame/editing.tsx';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { to } from '../../kit/links.ts';
import { AdminGroupForm } from './admin-group-form.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useDescription, useGrantable, useGroupName } from './group-choice.ts';

const groups = listOf('listAdminGroups', adminGroupRoutes.listAdminGroups.query);

const useColumns = groups.columns(adminUserText, ({ group: t }, column) => [
  column.name(t.name, (group) => <GroupName group={group} />),
  {
    id: 'description',
    header: t.description,
    cell: (group) => <Description group={group} />,
  },
  {
    id: 'permissions',
    header: t.permissions,
    cell: ({ permissions }) => t.count(permissions.length, adminPermissions.length),
  },
  column.count('user_count', t.users, ({ id }) => to.adminUsers({ group_id: id })),
  column.time('updated_at', t.updated, { relative: true }),
]);

/** The groups, the shipped ones among them, which can be changed and copied like any other. */
export function AdminGroupList() {
  const { group: t, tabs } = useText(adminUserText);
  const nameOf = useGroupName();
  const grantable = useGrantable();
  const editing = useEditing<AdminGroup>({
    create: 'createAdminGroup',
    update: 'updateAdminGroup',
    text: t,
    form: (group, close) => <AdminGroupForm group={group} onClose={close} />,
  });
  const copying = useRowDialog<AdminGroup>({
    route: 'createAdminGroup',
    label: t.copy,
    icon: 'copy',
    render: (copy, close) => <AdminGroupForm group={null} copy={copy} onClose={close} />,
  });
  const removal = useRemoval<AdminGroup>('removeAdminGroup', {
    text: t,
    body: (group) => t.removeBody(nameOf(group)),
  });
  /** Nobody changes a group that holds more than they do. */
  const beyond = ({ permissions }: AdminGroup) =>
    permissions.every((name) => grantable.has(name)) ? undefined : t.beyond;
  return (
    <>
      <ListTable
        id="admin-groups"
        list={groups.use()}
        text={{ ...t, title: tabs.groups }}
        icon="operator-group"
        add={editing.add}
        actions={editing.add}
        columns={useColumns()}
        rowName={nameOf}
        rowActions={(group) => [
          editing.action(group, beyond(group)),
          copying.action(group),
          removal.action(group, beyond(group) ?? (group.user_count > 0 && t.hasUsers)),
        ]}
      />
      {editing.dialog}
      {copying.dialog}
      {removal.dialog}
    </>
  );
}

function GroupName({ group }: { group: AdminGroup }) {
  return useGroupName()(group);
}

function Description({ group }: { group: AdminGroup }) {
  return useDescription()(group) || '–';
}
