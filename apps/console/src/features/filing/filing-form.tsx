import { filingCreateInput, filingInput, type Filing } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { clientChoices } from '../../api/options.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { DomainInput } from '../../kit/fields/domain-input.tsx';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { filingText } from './filing.text.ts';

interface Props {
  filing: Filing | null;
  /** Of a new one, where its domain is known. */
  name?: string | undefined;
  onClose: () => void;
}

/**
 * The filing number (ICP) of a registrable domain, which stands for all names below it. A number that is changed
 * has to be confirmed again.
 */
export function FilingForm({ filing, name = '', onClose }: Props) {
  const t = useText(filingText);
  const { role } = useAccount();
  const namesClient = role === 'admin' && filing === null;
  const schema = filing === null ? filingCreateInput : filingInput;
  const { control, drawer } = useEntityDrawer(schema as typeof filingCreateInput, {
    get: 'getFiling',
    create: 'createFiling',
    update: 'updateFiling',
    entity: filing,
    inputOf: (item) => ({
      name: item?.name ?? name,
      number: item?.number ?? '',
      ...(namesClient ? { client_id: undefined } : {}),
    }),
    text: t,
    onClose,
  });
  return (
    <FormDrawer {...drawer}>
      {namesClient && (
        <RemoteSelect control={control} name="client_id" label={t.client} choices={clientChoices} />
      )}
      <DomainInput control={control} name="name" label={t.domain} hint={t.domainHint} autoFocus />
      <TextInput
        control={control}
        name="number"
        label={t.number}
        hint={filing === null ? t.numberHint : t.editHint}
      />
    </FormDrawer>
  );
}
