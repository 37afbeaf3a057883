import { memberRoutes, userPermissions, type Member } from '@breakwater/contract';
import { useAdding } from '../../frame/editing.tsx';
import { choices, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { useIsOwn, useMemberActions } from './member-actions.tsx';
import { MemberCreateForm } from './member-form.tsx';
import { memberText } from './member.text.ts';

const members = listOf('listMembers', memberRoutes.listMembers.query);
export const { firstRead } = members;

/** `isOwn` marks the member who is looking. */
const useColumns = members.columns(memberText, (t, column, isOwn: (member: Member) => boolean) => [
  {
    id: 'name',
    header: t.name,
    cell: (member) => (isOwn(member) ? t.you(member.name) : member.name),
  },
  column.text('email', t.email),
  {
    id: 'permissions',
    header: t.permissions,
    cell: ({ permissions }) => t.count(permissions.length, userPermissions.length),
  },
  {
    id: 'sites',
    header: t.sites,
    cell: ({ site_ids: ids }) => (ids.length === 0 ? t.allSites : t.siteCount(ids.length)),
  },
  column.status(t.status, ({ enabled }) =>
    enabled ? { tone: 'success', label: t.statuses.yes } : { tone: 'neutral', label: t.statuses.no },
  ),
  { id: 'twoFactor', header: t.twoFactor, cell: (member) => (member.two_factor ? t.twoFactorOn : '–') },
  column.time('last_login_at', t.lastLogin, { relative: true, never: t.never }),
  column.time('created_at', t.created, { hidden: true }),
]);

/** The customers' own screen. */
export function Members() {
  const t = useText(memberText);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <MemberList />
    </Page>
  );
}

/** Members of a customer: of the caller's own account where none is named. */
export function MemberList({ clientId }: { clientId?: number }) {
  const t = useText(memberText);
  const { add, dialog } = useAdding({
    create: 'createMember',
    text: t,
    form: (close) => <MemberCreateForm clientId={clientId} onClose={close} />,
  });
  const actions = useMemberActions();
  return (
    <>
      <ListTable
        id="members"
        // Narrowed besides what the address says, as the list is a part of the customer's page then.
        list={members.use(clientId === undefined ? {} : { narrowed: { client_id: clientId } })}
        text={t}
        icon="member"
        add={add}
        actions={add}
        columns={useColumns(useIsOwn())}
        filters={[
          textFilter('name', t.name),
          textFilter('email', t.email),
          selectFilter('enabled', t.status, choices(['yes', 'no'], t.statuses)),
        ]}
        rowName={({ name }) => name}
        rowActions={actions.actionsFor}
      />
      {dialog}
      {actions.dialogs}
    </>
  );
}
