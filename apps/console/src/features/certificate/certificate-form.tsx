import { certificateInput } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { clientChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { GroupInput } from './group-input.tsx';
import { PairFields } from './pair-fields.tsx';
import { certificateText } from './certificate.text.ts';

/**
 * Adds one certificate. `clientId` is the customer that the list is narrowed to; an administrator who leaves the
 * customer empty makes one of the platform itself.
 */
export function CertificateForm({
  clientId,
  onClose,
}: {
  clientId: number | undefined;
  onClose: () => void;
}) {
  const t = useText(certificateText);
  const { role } = useAccount();
  const create = useChange('createCertificate');
  const form = useSchemaForm(certificateInput, {
    name: '',
    certificate: '',
    private_key: '',
    pfx: '',
    pfx_password: '',
    group_name: '',
    client_id: clientId,
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    // It is stored all the same: what visitors may stumble over, such as a missing intermediate certificate, is said besides.
    const { warnings } = await create.mutateAsync({ body });
    if (warnings.length > 0) notify.info(t.warned(t.saved, warnings));
    else notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      {role === 'admin' && (
        <RemoteSelect
          control={control}
          name="client_id"
          label={t.client}
          placeholder={t.platform}
          hint={t.platformHint}
          choices={clientChoices}
        />
      )}
      <GroupInput control={control} clientId={clientId} />
      <PairFields form={form} />
    </FormDrawer>
  );
}
