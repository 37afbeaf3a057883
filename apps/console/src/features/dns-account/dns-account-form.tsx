import {
  dnsAccountInput,
  dnsProviderCodes,
  dnsProviders,
  type DnsAccount,
  type DnsProviderCode,
} from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { ProviderFields } from '../../kit/provider-fields.tsx';
import { notify } from '../../kit/toast.ts';
import { dnsAccountText } from './dns-account.text.ts';

export function DnsAccountForm({ id, onClose }: { id: number | null; onClose: () => void }) {
  if (id === null) return <AccountForm account={null} onClose={onClose} />;
  return <ExistingAccount id={id} onClose={onClose} />;
}

function ExistingAccount({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useApi('getDnsAccount', { params: { id } });
  return <Loaded read={read}>{(account) => <AccountForm account={account} onClose={onClose} />}</Loaded>;
}

/** What a provider's parameters are before anything is entered. */
const emptyParams = {
  powerdns: { url: '', server_id: 'localhost' },
  rfc2136: { server: '', zones: [] as string[], key_name: '', algorithm: 'hmac-sha256' },
} as const satisfies Record<DnsProviderCode, object>;

function AccountForm({ account, onClose }: { account: DnsAccount | null; onClose: () => void }) {
  const t = useText(dnsAccountText);
  const language = useLanguage();
  const create = useChange('createDnsAccount');
  const update = useChange('updateDnsAccount');
  const form = useSchemaForm(dnsAccountInput, {
    name: account?.name ?? '',
    provider: account?.provider ?? 'powerdns',
    params: (account?.params ?? emptyParams.powerdns) as never,
  });
  const { control } = form;
  const provider = useWatch({ control, name: 'provider' });
  const paramsOf = (code: DnsProviderCode) =>
    code === account?.provider ? account.params : emptyParams[code];
  const save = submitForm(
    form,
    async (value) => {
      await (account
        ? update.mutateAsync({ params: { id: account.id }, body: { version: account.version, value } })
        : create.mutateAsync({ body: value }));
      notify.success(t.saved);
      onClose();
    },
    { prefix: 'value.' },
  );
  return (
    <FormDrawer title={account ? t.edit : t.add} form={form} onSubmit={save} onClose={onClose}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <SelectInput
        control={control}
        name="provider"
        label={t.provider}
        options={dnsProviderCodes.map((value) => ({ value, label: dnsProviders[value].title[language] }))}
        onChosen={(code) => form.setValue('params', paramsOf(code as DnsProviderCode) as never)}
      />
      <ProviderFields key={provider} control={control} path="params" provider={dnsProviders[provider]} />
    </FormDrawer>
  );
}
