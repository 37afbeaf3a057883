import { dnsAccountRoutes, dnsProviderCodes, dnsProviders, type DnsAccount } from '@breakwater/contract';
import { useMemo, useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { DnsAccountForm } from './dns-account-form.tsx';
import { dnsAccountText } from './dns-account.text.ts';

export function DnsAccountList() {
  const t = useText(dnsAccountText);
  const kit = useText(kitText);
  const language = useLanguage();
  const may = useMay();
  const [search, setSearch] = useSearchState(dnsAccountRoutes.listDnsAccounts.query);
  const accounts = useApi('listDnsAccounts', { query: search }, { keepPrevious: true });
  const remove = useChange('removeDnsAccount');
  const test = useTest();
  const [editing, setEditing] = useState<DnsAccount | 'new' | null>(null);
  const [removing, setRemoving] = useState<DnsAccount | null>(null);
  const denied = may('createDnsAccount') ? undefined : kit.noPermission;
  const providers = dnsProviderCodes.map((value) => ({ value, label: dnsProviders[value].title[language] }));
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setEditing('new')} disabledReason={denied}>
      {t.add}
    </ActionButton>
  );
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={add}>
      <DataTable
        label={t.title}
        id="dns-accounts"
        columns={useAccountColumns()}
        read={accounts}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        onPage={setSearch}
        filtered={search.name !== undefined || search.provider !== undefined}
        filters={
          <FilterBar
            fields={[
              { name: 'name', label: t.name, kind: 'text', inBar: true },
              { name: 'provider', label: t.provider, kind: 'select', options: providers },
            ]}
            values={search}
            onChange={setSearch}
          />
        }
        empty={<EmptyState icon="key" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={(account) => [
          { label: t.test, icon: 'refresh', onClick: () => test(account), disabledReason: denied },
          { label: kit.edit, icon: 'edit', onClick: () => setEditing(account), disabledReason: denied },
          {
            label: kit.remove,
            icon: 'delete',
            destructive: true,
            onClick: () => setRemoving(account),
            disabledReason: denied,
          },
        ]}
      />
      {editing && (
        <DnsAccountForm id={editing === 'new' ? null : editing.id} onClose={() => setEditing(null)} />
      )}
      {removing && (
        <Confirm
          title={t.removeTitle}
          body={t.removeBody(removing.name)}
          action={kit.remove}
          onConfirm={async () => {
            await remove.mutateAsync({ params: { id: removing.id } });
            notify.success(t.removed);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Page>
  );
}

function useTest() {
  const t = useText(dnsAccountText);
  const test = useChange('testDnsAccount');
  return ({ id }: DnsAccount) =>
    test.mutate(
      { params: { id } },
      {
        onSuccess: ({ ok, message, zones }) =>
          ok ? notify.success(t.tested(zones.length)) : notify.error(message),
        onError: (error) => notify.error(error.message),
      },
    );
}

function useAccountColumns(): Column<DnsAccount>[] {
  const t = useText(dnsAccountText);
  const language = useLanguage();
  const admin = useAccount().role === 'admin';
  return useMemo(() => {
    const owner: Column<DnsAccount> = {
      id: 'owner',
      header: t.owner,
      cell: ({ client_id: id, client_name: name }) =>
        id === null ? t.platform : <TextLink target={to.clientDetail({ id })}>{name}</TextLink>,
    };
    return [
      { id: 'name', header: t.name, cell: ({ name }) => name },
      { id: 'provider', header: t.provider, cell: ({ provider }) => dnsProviders[provider].title[language] },
      {
        id: 'target',
        header: t.target,
        cell: ({ params }) => ('url' in params ? params.url : params.server),
      },
      ...(admin ? [owner] : []),
      { id: 'state', header: t.state, cell: (account) => <State account={account} /> },
      { id: 'updated', header: t.updated, cell: ({ updated_at: at }) => <Time at={at} /> },
    ];
  }, [admin, language, t]);
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
