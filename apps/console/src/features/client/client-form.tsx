import { clientCreateInput, clientInput, clientStatuses, password, type Client } from '@breakwater/contract';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { clientText } from './client.text.ts';

/** A new customer, who is active at once. Apart from the form that changes one, which has no password. */
export function ClientCreateForm({ onClose }: { onClose: () => void }) {
  const t = useText(clientText);
  const create = useChange('createClient');
  const form = useSchemaForm(clientCreateInput, {
    name: '',
    email: '',
    password: '',
    phone: '',
    remark: '',
    status: 'active',
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await create.mutateAsync({ body });
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="email" label={t.email} type="email" hint={t.emailHint} />
      <TextInput
        control={control}
        name="password"
        label={t.password}
        type="password"
        hint={t.passwordHint}
        autoComplete="new-password"
      />
      <TextInput control={control} name="phone" label={t.phone} />
      <TextInput control={control} name="remark" label={t.remark} rows={2} />
    </FormDrawer>
  );
}

/** Changes a customer. One that is disabled is signed out, and their sites are suspended until they are enabled again. */
export function ClientEditForm({ client, onClose }: { client: Client; onClose: () => void }) {
  const t = useText(clientText);
  const { control, drawer } = useEntityDrawer(clientInput, {
    get: 'getClient',
    update: 'updateClient',
    entity: client,
    // Without what the contract's input does not have, or the save would be refused.
    inputOf: (item) => pick(item ?? client),
    text: t,
    onClose,
  });
  const options = clientStatuses.map((value) => ({ value, label: t.statuses[value] }));
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="email" label={t.email} type="email" hint={t.emailHint} />
      <TextInput control={control} name="phone" label={t.phone} />
      <SelectInput control={control} name="status" label={t.status} options={options} hint={t.disableHint} />
      <TextInput control={control} name="remark" label={t.remark} rows={2} />
    </FormDrawer>
  );
}

const pick = ({ name, email, phone, remark, status }: Client) => ({ name, email, phone, remark, status });

const passwordInput = z.object({ password });

/** Sets a new password, without the old one: for operators. The customer's sessions end. */
export function ClientPasswordForm({ client, onClose }: { client: Client; onClose: () => void }) {
  const t = useText(clientText);
  const change = useChange('changeClientPassword');
  const form = useSchemaForm(passwordInput, { password: '' });
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id: client.id }, body });
    notify.success(t.passwordChanged);
    onClose();
  });
  return (
    <FormDrawer title={t.changePassword} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput
        control={form.control}
        name="password"
        label={t.newPassword}
        type="password"
        hint={t.passwordHint}
        autoComplete="new-password"
        autoFocus
      />
    </FormDrawer>
  );
}
