import { captchaAccountInput, captchaAccountRoutes, captchaProviders } from '@breakwater/contract';
import { listOf } from '../../frame/list.ts';
import { AccountList, accountColumns } from '../../frame/provider-account/account-list.tsx';
import { useText } from '../../i18n/text.ts';
import { captchaAccountText } from './captcha-account.text.ts';

const accounts = listOf('listCaptchaAccounts', captchaAccountRoutes.listCaptchaAccounts.query);
export const { firstRead } = accounts;

const useColumns = accounts.columns(captchaAccountText, (t, column) => {
  const { provider, state } = accountColumns(t, captchaProviders);
  return [
    column.name(t.name, ({ name }) => name),
    provider,
    { id: 'site_key', header: t.siteKey, cell: ({ params }) => params.site_key },
    column.owner(t.owner, t.platform),
    { id: 'uses', header: t.uses, cell: (account) => t.usedBy(account) },
    state,
    column.time('updated_at', t.updated, { relative: true }),
  ];
});

/**
 * Accounts at vendors of challenges, which browser verification of the kind `external` shows
 * (docs/captcha-accounts.md).
 */
export function CaptchaAccountList() {
  const t = useText(captchaAccountText);
  return (
    <AccountList
      kind="CaptchaAccount"
      schema={captchaAccountInput}
      providers={captchaProviders}
      text={t}
      id="captcha-accounts"
      icon="captcha"
      list={accounts.use()}
      columns={useColumns()}
      tested={() => t.tested}
      inUse={(account) => account.site_count + account.level_count > 0 && t.inUse(account)}
    />
  );
}
