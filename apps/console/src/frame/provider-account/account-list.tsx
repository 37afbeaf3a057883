import { codesOf, type ProvidersOf } from '@breakwater/contract';
import type { ReactNode } from 'react';
import type * as z from 'zod';
import type { Data } from '../../api/client.ts';
import { useLanguage } from '../../i18n/language.ts';
import type { IconName } from '../../kit/icon-names.ts';
import { Page } from '../../kit/page.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import type { Column } from '../../kit/table/data-table.tsx';
import { notify } from '../../kit/toast.ts';
import { useRemoval } from '../asking.tsx';
import { useRowAction } from '../row-action.ts';
import { useEditing } from '../editing.tsx';
import { selectFilter, textFilter } from '../filters.ts';
import type { List } from '../list.ts';
import { ListTable } from '../list-table.tsx';
import type { Account, AccountFamily, AccountKind, AccountOf, AccountText } from './account.ts';
import { AccountForm } from './account-form.tsx';

interface AccountListProps<Kind extends AccountKind> extends AccountFamily<Kind> {
  schema: z.ZodType;
  /** What the table's settings are remembered by. */
  id: string;
  icon: IconName;
  list: List<AccountOf<Kind>>;
  columns: readonly Column<AccountOf<Kind>>[];
  /** What is said after a test that found nothing wrong. */
  tested: (answer: Data<`test${Kind}`>) => string;
  /** Why one cannot be deleted. */
  inUse: (account: AccountOf<Kind>) => string | false;
  /** What else can be done with one. */
  more?: (account: AccountOf<Kind>) => RowAction;
  /** What of that is open. */
  children?: ReactNode;
}

/** The screen of all accounts of a family: they are added, tested, changed and removed. */
export function AccountList<Kind extends AccountKind>(props: AccountListProps<Kind>) {
  const { kind, text: t, providers, schema, list, tested, inUse, more, children, ...table } = props;
  const language = useLanguage();
  const options = codesOf(providers).map((value) => ({ value, label: providers[value]!.title[language] }));
  const test = useRowAction(`test${kind}`, {
    label: t.test,
    icon: 'refresh',
    argumentsOf: ({ id }: AccountOf<Kind>) => ({ params: { id } }) as never,
    onDone: (answer) =>
      answer.ok ? notify.success(tested(answer as never)) : notify.refused(answer.message),
  });
  const editing = useEditing<AccountOf<Kind>>({
    create: `create${kind}`,
    update: `update${kind}`,
    text: t,
    form: (account, close) => (
      <AccountForm {...{ kind, text: t, providers, schema }} id={account?.id ?? null} onClose={close} />
    ),
  });
  const removal = useRemoval<AccountOf<Kind>>(`remove${kind}`, {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        {...table}
        list={list}
        text={t}
        add={editing.add}
        filters={[
          textFilter('name', t.name),
          selectFilter('provider', t.provider, options, { folded: true }),
        ]}
        rowName={({ name }) => name}
        rowActions={(account) => [
          test.action(account),
          more?.(account),
          editing.action(account),
          removal.action(account, inUse(account)),
        ]}
      />
      {editing.dialog}
      {children}
      {removal.dialog}
    </Page>
  );
}

/** The columns that all of them have. */
export const accountColumns = (t: AccountText, providers: ProvidersOf) => ({
  provider: {
    id: 'provider',
    header: t.provider,
    cell: ({ provider }: Account) => <Provider title={providers[provider]!.title} />,
  },
  state: {
    id: 'state',
    header: t.state,
    cell: (account: Account) => <State account={account} t={t} />,
  },
});

function Provider({ title }: { title: { zh: string; en: string } }) {
  return title[useLanguage()];
}

function State({ account, t }: { account: Account; t: AccountText }) {
  const { checked_at: at, last_error: error } = account;
  if (at === null) return <StatusChip tone="neutral" label={t.untested} />;
  return error === '' ? (
    <StatusChip tone="success" label={t.works} />
  ) : (
    <StatusChip tone="error" label={t.fails} hint={error} />
  );
}
