import {
  dnsAccountRoutes,
  dnsProviderCodes,
  dnsProviders,
  providerFields,
  type DnsAccount,
} from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useDeed } from '../../frame/deed.ts';
import { useEditing } from '../../frame/editing.tsx';
import { selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { DnsAccountForm } from './dns-account-form.tsx';
import { DnsZones } from './dns-zones.tsx';
import { dnsAccountText } from './dns-account.text.ts';

const accounts = listOf('listDnsAccounts', dnsAccountRoutes.listDnsAccounts.query);
export const { firstRead } = accounts;

const useColumns = accounts.columns(dnsAccountText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  { id: 'provider', header: t.provider, cell: ({ provider }) => <Provider code={provider} /> },
  { id: 'target', header: t.target, cell: targetOf },
  column.owner(t.owner, t.platform),
  { id: 'state', header: t.state, cell: (account) => <State account={account} /> },
  column.time('updated_at', t.updated, { relative: true }),
]);

export function DnsAccountList() {
  const t = useText(dnsAccountText);
  const language = useLanguage();
  const providers = dnsProviderCodes.map((value) => ({ value, label: dnsProviders[value].title[language] }));
  const test = useDeed('testDnsAccount', {
    label: t.test,
    icon: 'refresh',
    argumentsOf: ({ id }: DnsAccount) => ({ params: { id } }),
    onDone: ({ ok, message, zones }) => (ok ? notify.success(t.tested(zones)) : notify.refused(message)),
  });
  const editing = useEditing<DnsAccount>({
    create: 'createDnsAccount',
    update: 'updateDnsAccount',
    text: t,
    form: (account, close) => <DnsAccountForm id={account?.id ?? null} onClose={close} />,
  });
  const zones = useRowDialog<DnsAccount>({
    route: 'listDnsZones',
    label: t.zones,
    icon: 'dns',
    render: (account, close) => <DnsZones account={account} onClose={close} />,
  });
  const removal = useRemoval<DnsAccount>('removeDnsAccount', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="dns-accounts"
        list={accounts.use()}
        text={t}
        icon="key"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          selectFilter('provider', t.provider, providers, { folded: true }),
        ]}
        rowName={({ name }) => name}
        rowActions={(account) => [
          test.action(account),
          zones.action(account),
          editing.action(account),
          removal.action(account, account.order_count > 0 && t.inUse(account.orders, account.order_count)),
        ]}
      />
      {editing.dialog}
      {zones.dialog}
      {removal.dialog}
    </Page>
  );
}

/** What tells one account from another at the same provider: who is called, or the public half of its key. */
function targetOf({ provider, params }: DnsAccount): string {
  const description = dnsProviders[provider];
  const told = providerFields(description).find(({ kind }) => kind === 'text');
  return (told && (params as Record<string, string | undefined>)[told.name]) || '–';
}

function Provider({ code }: { code: DnsAccount['provider'] }) {
  return dnsProviders[code].title[useLanguage()];
}

function State({ account: { checked_at: at, last_error: error } }: { account: DnsAccount }) {
  const t = useText(dnsAccountText);
  if (at === null) return <StatusChip tone="neutral" label={t.untested} />;
  return error === '' ? (
    <StatusChip tone="success" label={t.works} />
  ) : (
    <StatusChip tone="error" label={t.fails} hint={error} />
  );
}
