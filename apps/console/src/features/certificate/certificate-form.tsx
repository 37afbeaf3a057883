import { certificateInput } from '@breakwater/contract';
import type * as z from 'zod';
import { useAccount } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { clientChoices } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { certificateText } from './certificate.text.ts';

/** An administrator says whose it is; a customer's is their own. */
const ofClient = certificateInput.required({ client_id: true });

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
  const form = useSchemaForm<z.input<typeof certificateInput>, z.output<typeof certificateInput>>(
    role === 'admin' ? ofClient : certificateInput,
    { name: '', certificate: '', private_key: '', client_id: clientId },
  );
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await create.mutateAsync({ body });
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      {role === 'admin' && (
        <RemoteSelect control={control} name="client_id" label={t.client} choices={clientChoices} />
      )}
      <TextInput
        control={control}
        name="certificate"
        label={t.certificate}
        hint={t.certificateHint}
        rows={7}
        monospaced
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      <TextInput
        control={control}
        name="private_key"
        label={t.privateKey}
        rows={7}
        monospaced
        placeholder="-----BEGIN PRIVATE KEY-----"
      />
    </FormDrawer>
  );
}
