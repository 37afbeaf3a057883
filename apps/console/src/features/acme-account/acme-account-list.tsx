import { acmeAccountRoutes, type AcmeAccount } from '@breakwater/contract';
import { useRowActivity } from '../../frame/activity.tsx';
import { useRemoval } from '../../frame/asking.tsx';
import { useRowAction } from '../../frame/row-action.ts';
import { useEditing } from '../../frame/editing.tsx';
import { textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { AcmeAccountForm } from './acme-account-form.tsx';
import { acmeAccountText } from './acme-account.text.ts';

const accounts = listOf('listAcmeAccounts', acmeAccountRoutes.listAcmeAccounts.query);
export const { firstRead } = accounts;

const useColumns = accounts.columns(acmeAccountText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  {
    id: 'directory',
    header: t.directory,
    cell: ({ directory, directory_url: url }) => (directory === 'other' ? url : t.directories[directory]),
  },
  { id: 'key_type', header: t.keyType, cell: ({ key_type: type }) => t.keyTypes[type] },
  column.count('priority', t.priority),
  column.count('order_count', t.orders),
  { id: 'state', header: t.state, cell: (account) => <State account={account} />, whole: true },
  column.time('updated_at', t.updated),
]);

/** The platform's accounts at certificate authorities. Customers see their names only, where they order a certificate. */
export function AcmeAccountList() {
  const t = useText(acmeAccountText);
  const test = useRowAction('testAcmeAccount', {
    label: t.test,
    icon: 'refresh',
    argumentsOf: ({ id }: AcmeAccount) => ({ params: { id } }),
    onDone: ({ ok, message }) => (ok ? notify.success(t.tested) : notify.error(message)),
  });
  const editing = useEditing<AcmeAccount>({
    create: 'createAcmeAccount',
    update: 'updateAcmeAccount',
    text: t,
    form: (account, close) => <AcmeAccountForm account={account} onClose={close} />,
  });
  const activity = useRowActivity<AcmeAccount>('acme_account', ({ name }) => name);
  const removal = useRemoval<AcmeAccount>('removeAcmeAccount', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="acme-accounts"
        list={accounts.use()}
        text={t}
        icon="certificate-account"
        add={editing.add}
        columns={useColumns()}
        filters={[textFilter('name', t.name)]}
        rowName={({ name }) => name}
        // Testing registers an account that is not registered yet.
        rowActions={(account) => [
          test.action(account),
          editing.action(account),
          activity.action(account),
          removal.action(account, account.order_count > 0 && t.inUse),
        ]}
      />
      {editing.dialog}
      {activity.dialog}
      {removal.dialog}
    </Page>
  );
}

/** Registered once the authority has given the account its URL. */
function State({ account: { enabled, account_url: url } }: { account: AcmeAccount }) {
  const t = useText(acmeAccountText);
  if (!enabled) return <StatusChip tone="neutral" label={t.disabled} />;
  return url === '' ? (
    <StatusChip tone="neutral" label={t.unregistered} />
  ) : (
    <StatusChip tone="success" label={t.registered} hint={url} />
  );
}
