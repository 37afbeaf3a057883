import {
  dnsAccountInput,
  dnsProviderCodes,
  dnsProviders,
  emptyParams,
  type DnsAccount,
  type DnsProviderCode,
} from '@breakwater/contract';
import { useWatch } from 'react-hook-form';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { ProviderFields } from '../../kit/fields/provider-fields.tsx';
import { notify } from '../../kit/toast.ts';
import { dnsAccountText } from './dns-account.text.ts';

export function DnsAccountForm({ id, onClose }: { id: number | null; onClose: () => void }) {
  if (id === null) return <AccountForm account={null} onClose={onClose} />;
  return <ExistingAccount id={id} onClose={onClose} />;
}

function ExistingAccount({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useFormRead('getDnsAccount', { params: { id } });
  return (
    <Loaded read={read}>
      {(account) => <AccountForm account={account} refetch={read.refetch} onClose={onClose} />}
    </Loaded>
  );
}

const [firstProvider] = dnsProviderCodes;

interface AccountFormProps {
  account: DnsAccount | null;
  refetch?: ReturnType<typeof useFormRead<'getDnsAccount'>>['refetch'];
  onClose: () => void;
}

function AccountForm({ account, refetch, onClose }: AccountFormProps) {
  const t = useText(dnsAccountText);
  const language = useLanguage();
  const create = useChange('createDnsAccount');
  const update = useChange('updateDnsAccount');
  const { form, submit, notice } = useEntityForm(dnsAccountInput, {
    entity: account,
    isFresh: true,
    inputOf: (item) => ({
      name: item?.name ?? '',
      provider: item?.provider ?? firstProvider,
      params: (item?.params ?? emptyParams(dnsProviders[firstProvider])) as never,
    }),
    create: (body) => create.mutateAsync({ body }),
    update: (params, { version, ...value }) => update.mutateAsync({ params, body: { version, value } }),
    refetch: refetch!,
    onSaved: () => {
      notify.success(t.saved);
      onClose();
    },
  });
  const { control } = form;
  const provider = useWatch({ control, name: 'provider' });
  const paramsOf = (code: DnsProviderCode) =>
    code === account?.provider ? account.params : emptyParams(dnsProviders[code]);
  return (
    <FormDrawer
      title={account ? t.edit : t.add}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      notice={notice}
    >
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
