import { addressListRoutes, type AddressList } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useRowActivity } from '../../frame/activity.tsx';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowAction } from '../../frame/row-action.ts';
import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { AddressListForm } from './address-list-form.tsx';
import { addressListText } from './address-list.text.ts';

const lists = listOf('listAddressLists', addressListRoutes.listAddressLists.query);
export const { firstRead } = lists;

const useColumns = lists.columns(addressListText, (t, column) => [
  column.name(t.name, ({ name }) => name, { note: ({ description }) => description }),
  column.owner(t.owner, t.platform),
  { id: 'source', header: t.source, cell: (list) => <Source list={list} /> },
  column.count('entry_count', t.entries),
  column.count('site_count', t.sites),
  { id: 'updated', header: t.updated, cell: (list) => <Time at={list.fetched_at ?? list.updated_at} /> },
]);

/** One's own lists; operators see the platform's and those of all customers. */
export function AddressListList() {
  const t = useText(addressListText);
  const editing = useEditing<AddressList>({
    create: 'createAddressList',
    update: 'updateAddressList',
    text: t,
    form: (list, close) => <AddressListForm id={list?.id ?? null} onClose={close} />,
  });
  const refresh = useRowAction('refreshAddressList', {
    label: t.refresh,
    icon: 'refresh',
    argumentsOf: ({ id }: AddressList) => ({ params: { id } }),
    onDone: ({ entry_count: count, last_error: error }) =>
      error === '' ? notify.success(t.refreshed(count)) : notify.error(t.failed(error)),
  });
  const activity = useRowActivity<AddressList>('address_list', ({ name }) => name);
  const removal = useRemoval<AddressList>('removeAddressList', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="address-lists"
        list={lists.use()}
        text={t}
        icon="address-list"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={({ name }) => name}
        rowActions={(list) => [
          editing.action(list),
          list.source === 'url' && refresh.action(list),
          activity.action(list),
          // The server refuses it as well: rules would name what is not there.
          removal.action(list, list.site_count + list.level_count > 0 && t.inUse),
        ]}
      />
      {editing.dialog}
      {activity.dialog}
      {removal.dialog}
    </Page>
  );
}

/**
 * Where the entries come from; of a URL also why the last attempt failed, while the entries from before are still in use.
 */
function Source({ list }: { list: AddressList }) {
  const t = useText(addressListText);
  if (list.source !== 'url') return t.sources[list.source];
  return (
    <>
      <span dir="ltr">{list.url}</span>
      {list.last_error === '' ? (
        list.fetched_at === null && ` · ${t.never}`
      ) : (
        <Typography component="span" variant="caption" sx={{ ml: 1, color: 'error.main' }}>
          {t.failed(list.last_error)}
        </Typography>
      )}
    </>
  );
}
