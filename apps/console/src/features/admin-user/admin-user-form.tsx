import {
  adminUserCreateInput,
  adminUserInput,
  password,
  type AdminGroup,
  type AdminUser,
} from '@breakwater/contract';
import { useCallback } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { kitText } from '../../kit/kit.text.ts';
import { useText } from '../../i18n/text.ts';
import { SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { adminUserText } from './admin-user.text.ts';
import { useGrantable, useGroupChoices } from './group-choice.ts';

interface FormProps {
  onClose: () => void;
}

/** A new administrator with a first password, which is told to them outside of the platform. */
export function AdminUserCreateForm({ onClose }: FormProps) {
  const t = useText(adminUserText).user;
  const create = useChange('createAdminUser');
  const form = useSchemaForm(adminUserCreateInput, {
    username: '',
    name: '',
    email: '',
    password: '',
    enabled: true,
  });
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    await create.mutateAsync({ body });
    notify.success(t.saved);
    onClose();
  });
  return (
    <FormDrawer title={t.add} form={form} onSubmit={submit} onClose={onClose}>
      <TextInput control={control} name="username" label={t.username} hint={t.usernameHint} autoFocus />
      <PasswordInput control={control} name="password" label={t.password} />
      <GroupInput control={control} name="group_id" />
      <TextInput control={control} name="name" label={t.name} />
      <TextInput control={control} name="email" label={t.email} type="email" />
    </FormDrawer>
  );
}

/** Changes an administrator. One who is disabled is signed out. */
export function AdminUserEditForm({ user, onClose }: FormProps & { user: AdminUser }) {
  const t = useText(adminUserText).user;
  const { control, drawer } = useEntityDrawer(adminUserInput, {
    get: 'getAdminUser',
    update: 'updateAdminUser',
    entity: user,
    inputOf: (item) => inputOf(item ?? user),
    text: t,
    onClose,
  });
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="username" label={t.username} hint={t.usernameHint} autoFocus />
      <GroupInput control={control} name="group_id" />
      <TextInput control={control} name="name" label={t.name} />
      <TextInput control={control} name="email" label={t.email} type="email" />
      <SwitchInput control={control} name="enabled" label={t.enabled} hint={t.enabledHint} />
    </FormDrawer>
  );
}

const inputOf = ({ username, name, email, group_id, enabled }: AdminUser) => ({
  username,
  name,
  email,
  group_id,
  enabled,
});

const passwordInput = z.object({ password });

/** Sets a new password for somebody else, without the old one. */
export function AdminUserPasswordForm({ user, onClose }: FormProps & { user: AdminUser }) {
  const t = useText(adminUserText).user;
  const { colon } = useText(kitText);
  const change = useChange('changeAdminPassword');
  const form = useSchemaForm(passwordInput, { password: '' });
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id: user.id }, body });
    notify.success(t.passwordChanged);
    onClose();
  });
  return (
    <FormDrawer
      title={`${t.changePassword}${colon}${user.username}`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordInput control={form.control} name="password" label={t.newPassword} />
    </FormDrawer>
  );
}

interface InputProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  name: FieldPath<V>;
}

function PasswordInput<V extends FieldValues, T>(props: InputProps<V, T> & { label: string }) {
  const t = useText(adminUserText).user;
  return <TextInput {...props} type="password" hint={t.passwordHint} autoComplete="new-password" />;
}

/** Groups that hold more than whoever chooses can be seen, not chosen. */
function GroupInput<V extends FieldValues, T>(props: InputProps<V, T>) {
  const t = useText(adminUserText).user;
  const grantable = useGrantable();
  const isBeyond = useCallback(
    (group: AdminGroup) => !group.permissions.every((permission) => grantable.has(permission)),
    [grantable],
  );
  const choices = useGroupChoices(isBeyond, t.groupBeyond);
  return <RemoteSelect {...props} label={t.group} choices={choices} hint={t.groupHint} />;
}
