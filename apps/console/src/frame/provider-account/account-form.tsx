import { codesOf, emptyParams } from '@breakwater/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useWatch, type FieldValues } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import type { Arguments } from '../../api/client.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useLanguage } from '../../i18n/language.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { ProviderFields } from '../../kit/fields/provider-fields.tsx';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { notify } from '../../kit/toast.ts';
import { useUndo } from '../undo.ts';
import type { Account, AccountFamily, AccountKind } from './account.ts';

interface AccountInput extends FieldValues {
  name: string;
  provider: string;
  params: object;
}

interface AccountFormProps<Kind extends AccountKind> extends AccountFamily<Kind> {
  schema: z.ZodType;
  onClose: () => void;
}

/** The form of an account at a provider, or of a new one: whose fields it has follows from the provider. */
export function AccountForm<Kind extends AccountKind>({
  id,
  ...props
}: AccountFormProps<Kind> & { id: number | null }) {
  if (id === null) return <Fields {...props} account={null} />;
  return <Existing {...props} id={id} />;
}

function Existing<Kind extends AccountKind>({ id, ...props }: AccountFormProps<Kind> & { id: number }) {
  const name = `get${props.kind}` as const;
  // TypeScript knows no answer of a call whose name it does not know; those of an `AccountKind` all answer an `Account`.
  const read = useFormRead(name, { params: { id } } as Arguments<typeof name>) as unknown as AccountRead;
  return (
    <Loaded read={read}>{(account) => <Fields {...props} account={account} refetch={read.refetch} />}</Loaded>
  );
}

type AccountRead = UseQueryResult<Account>;

interface FieldsProps<Kind extends AccountKind> extends AccountFormProps<Kind> {
  account: Account | null;
  refetch?: AccountRead['refetch'];
}

function Fields<Kind extends AccountKind>(props: FieldsProps<Kind>) {
  const { kind, schema, text: t, providers, account, refetch, onClose } = props;
  const language = useLanguage();
  const offer = useUndo();
  const create = useChange(`create${kind}`);
  const update = useChange(`update${kind}`);
  const codes = codesOf(providers);
  const { form, submit, notice } = useEntityForm(schema as z.ZodType<AccountInput, AccountInput>, {
    entity: account,
    isFresh: true,
    inputOf: (item) => ({
      name: item?.name ?? '',
      provider: item?.provider ?? codes[0],
      params: item?.params ?? emptyParams(providers[codes[0]]!),
    }),
    create: (body) => create.mutateAsync({ body } as never),
    update: (params, { version, ...value }) =>
      update.mutateAsync({ params, body: { version, value } } as never),
    refetch: refetch!,
    kind: { by: 'provider', of: 'params' },
    onSaved: (undo) => {
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  const { control } = form;
  const provider = useWatch({ control, name: 'provider' });
  const paramsOf = (code: string) =>
    code === account?.provider ? account.params : emptyParams(providers[code]!);
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
        options={codes.map((value) => ({ value, label: providers[value]!.title[language] }))}
        onChosen={(code) => form.setValue('params', paramsOf(code))}
      />
      <ProviderFields key={provider} control={control} path="params" provider={providers[provider]!} />
    </FormDrawer>
  );
}
