import {
  captchaAccountInput,
  captchaProviderCodes,
  captchaProviders,
  emptyParams,
  type CaptchaAccount,
  type CaptchaProviderCode,
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
import { captchaAccountText } from './captcha-account.text.ts';

export function CaptchaAccountForm({ id, onClose }: { id: number | null; onClose: () => void }) {
  if (id === null) return <AccountForm account={null} onClose={onClose} />;
  return <ExistingAccount id={id} onClose={onClose} />;
}

function ExistingAccount({ id, onClose }: { id: number; onClose: () => void }) {
  const read = useFormRead('getCaptchaAccount', { params: { id } });
  return (
    <Loaded read={read}>
      {(account) => <AccountForm account={account} refetch={read.refetch} onClose={onClose} />}
    </Loaded>
  );
}

const [firstProvider] = captchaProviderCodes;

interface AccountFormProps {
  account: CaptchaAccount | null;
  refetch?: ReturnType<typeof useFormRead<'getCaptchaAccount'>>['refetch'];
  onClose: () => void;
}

function AccountForm({ account, refetch, onClose }: AccountFormProps) {
  const t = useText(captchaAccountText);
  const language = useLanguage();
  const create = useChange('createCaptchaAccount');
  const update = useChange('updateCaptchaAccount');
  const { form, submit, notice } = useEntityForm(captchaAccountInput, {
    entity: account,
    isFresh: true,
    inputOf: (item) => ({
      name: item?.name ?? '',
      provider: item?.provider ?? firstProvider,
      params: (item?.params ?? emptyParams(captchaProviders[firstProvider])) as never,
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
  const paramsOf = (code: CaptchaProviderCode) =>
    code === account?.provider ? account.params : emptyParams(captchaProviders[code]);
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
        options={captchaProviderCodes.map((value) => ({
          value,
          label: captchaProviders[value].title[language],
        }))}
        onChosen={(code) => form.setValue('params', paramsOf(code as CaptchaProviderCode) as never)}
      />
      <ProviderFields key={provider} control={control} path="params" provider={captchaProviders[provider]} />
    </FormDrawer>
  );
}
