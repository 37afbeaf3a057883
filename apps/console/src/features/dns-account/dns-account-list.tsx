import {
  dnsAccountInput,
  dnsAccountRoutes,
  dnsProviders,
  providerFields,
  type DnsAccount,
} from '@breakwater/contract';
import { listOf } from '../../frame/list.ts';
import { AccountList, accountColumns } from '../../frame/provider-account/account-list.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { DnsZones } from './dns-zones.tsx';
import { dnsAccountText } from './dns-account.text.ts';

const accounts = listOf('listDnsAccounts', dnsAccountRoutes.listDnsAccounts.query);
export const { firstRead } = accounts;

const useColumns = accounts.columns(dnsAccountText, (t, column) => {
  const { provider, state } = accountColumns(t, dnsProviders);
  return [
    column.name(t.name, ({ name }) => name),
    provider,
    { id: 'target', header: t.target, cell: targetOf },
    column.owner(t.owner, t.platform),
    state,
    column.time('updated_at', t.updated, { relative: true }),
  ];
});

/** Accounts at DNS hosts, by which certificates are proven (docs/dns-accounts.md). Secrets in them are never read back. */
export function DnsAccountList() {
  const t = useText(dnsAccountText);
  const zones = useRowDialog<DnsAccount>({
    route: 'listDnsZones',
    label: t.zones,
    icon: 'dns',
    render: (account, close) => <DnsZones account={account} onClose={close} />,
  });
  return (
    <AccountList
      kind="DnsAccount"
      schema={dnsAccountInput}
      providers={dnsProviders}
      text={t}
      id="dns-accounts"
      icon="dns"
      list={accounts.use()}
      columns={useColumns()}
      tested={(answer) => t.tested(answer.zones)}
      inUse={({ orders, order_count: count }) => count > 0 && t.inUse(orders, count)}
      more={(account) => zones.action(account)}
    >
      {zones.dialog}
    </AccountList>
  );
}

/** What tells one account from another at the same provider: who is called, or the public half of its key. */
function targetOf({ provider, params }: DnsAccount): string {
  const description = dnsProviders[provider];
  const told = providerFields(description).find(({ kind }) => kind === 'text');
  return (told && (params as Record<string, string | undefined>)[told.name]) || '–';
}
