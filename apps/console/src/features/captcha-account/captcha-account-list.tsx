import {
  captchaAccountRoutes,
  captchaProviderCodes,
  captchaProviders,
  type CaptchaAccount,
} from '@breakwater/contract';
import { useRemoval } from '../../frame/asking.tsx';
import { useDeed } from '../../frame/deed.ts';
import { useEditing } from '../../frame/editing.tsx';
import { selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { CaptchaAccountForm } from './captcha-account-form.tsx';
import { captchaAccountText } from './captcha-account.text.ts';

const accounts = listOf('listCaptchaAccounts', captchaAccountRoutes.listCaptchaAccounts.query);
export const { firstRead } = accounts;

const useColumns = accounts.columns(captchaAccountText, (t, column) => [
  column.name(t.name, ({ name }) => name),
  { id: 'provider', header: t.provider, cell: ({ provider }) => <Provider code={provider} /> },
  { id: 'site_key', header: t.siteKey, cell: ({ params }) => params.site_key },
  column.owner(t.owner, t.platform),
  { id: 'uses', header: t.uses, cell: (account) => t.usedBy(account) },
  { id: 'state', header: t.state, cell: (account) => <State account={account} /> },
  column.time('updated_at', t.updated, { relative: true }),
]);

export function CaptchaAccountList() {
  const t = useText(captchaAccountText);
  const language = useLanguage();
  const providers = captchaProviderCodes.map((value) => ({
    value,
    label: captchaProviders[value].title[language],
  }));
  const test = useDeed('testCaptchaAccount', {
    label: t.test,
    icon: 'refresh',
    argumentsOf: ({ id }: CaptchaAccount) => ({ params: { id } }),
    onDone: ({ ok, message }) => (ok ? notify.success(t.tested) : notify.refused(message)),
  });
  const editing = useEditing<CaptchaAccount>({
    create: 'createCaptchaAccount',
    update: 'updateCaptchaAccount',
    text: t,
    form: (account, close) => <CaptchaAccountForm id={account?.id ?? null} onClose={close} />,
  });
  const removal = useRemoval<CaptchaAccount>('removeCaptchaAccount', {
    text: t,
    body: ({ name }) => t.removeBody(name),
  });
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={editing.add}>
      <ListTable
        id="captcha-accounts"
        list={accounts.use()}
        text={t}
        icon="captcha"
        add={editing.add}
        columns={useColumns()}
        filters={[
          textFilter('name', t.name),
          selectFilter('provider', t.provider, providers, { folded: true }),
        ]}
        rowName={({ name }) => name}
        rowActions={(account) => [
          test.action(account),
          editing.action(account),
          removal.action(account, account.site_count + account.level_count > 0 && t.inUse(account)),
        ]}
      />
      {editing.dialog}
      {removal.dialog}
    </Page>
  );
}

function Provider({ code }: { code: CaptchaAccount['provider'] }) {
  return captchaProviders[code].title[useLanguage()];
}

function State({ account: { checked_at: at, last_error: error } }: { account: CaptchaAccount }) {
  const t = useText(captchaAccountText);
  if (at === null) return <StatusChip tone="neutral" label={t.untested} />;
  return error === '' ? (
    <StatusChip tone="success" label={t.works} />
  ) : (
    <StatusChip tone="error" label={t.fails} hint={error} />
  );
}
