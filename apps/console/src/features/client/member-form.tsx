import {
  memberCreateInput,
  memberInput,
  password,
  userPermissions,
  type Member,
  type UserPermission,
} from '@breakwater/contract';
import { useMemo } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import * as z from 'zod';
import { useHolder, useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { sitesOf } from '../../api/options.ts';
import { useApi } from '../../api/query.ts';
import { useUndo } from '../../frame/undo.ts';
import { kitText } from '../../kit/kit.text.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/form/entity-form.tsx';
import { SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { PermissionsInput } from '../../kit/fields/permissions-input.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { notify } from '../../kit/toast.ts';
import { memberText } from './member.text.ts';

interface FormProps {
  onClose: () => void;
}

/** `clientId` is the customer's whom an operator adds a member for. */
export function MemberCreateForm({ clientId, onClose }: FormProps & { clientId: number | undefined }) {
  const t = useText(memberText);
  const create = useChange('createMember');
  const form = useSchemaForm(memberCreateInput, {
    client_id: clientId,
    name: '',
    email: '',
    password: '',
    permissions: [] as UserPermission[],
    site_ids: [] as number[],
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
      <RightsInput control={control} sites="site_ids" permissions="permissions" clientId={clientId} />
    </FormDrawer>
  );
}

/** Changes a member. Who is disabled is signed out at once. */
export function MemberEditForm({ member, onClose }: FormProps & { member: Member }) {
  const t = useText(memberText);
  const current = useApi('getMember', { params: { id: member.id } }, { enabled: false });
  const update = useChange('updateMember');
  const offer = useUndo();
  const { form, submit, notice } = useEntityForm(memberInput, {
    entity: member,
    inputOf: (item) => inputOf(item ?? member),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: (undo) => {
      notify.success(t.saved, undo && offer(undo));
      onClose();
    },
  });
  const { control } = form;
  return (
    <FormDrawer title={t.edit} form={form} onSubmit={submit} onClose={onClose} notice={notice}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="email" label={t.email} type="email" hint={t.emailHint} />
      <SwitchInput control={control} name="enabled" label={t.enabled} hint={t.enabledHint} />
      <RightsInput control={control} sites="site_ids" permissions="permissions" clientId={member.client_id} />
    </FormDrawer>
  );
}

const inputOf = ({ name, email, permissions, site_ids, enabled }: Member) => ({
  name,
  email,
  permissions,
  site_ids,
  enabled,
});

/** The names of both fields, since two forms with different schemas have them. */
interface RightsProps<V extends FieldValues, T> {
  control: Control<V, unknown, T>;
  sites: FieldPath<V>;
  permissions: FieldPath<V>;
  clientId: number | undefined;
}

/** The sites that a member is limited to, and what they may do. */
function RightsInput<V extends FieldValues, T>(props: RightsProps<V, T>) {
  const { control, sites, permissions, clientId } = props;
  const t = useText(memberText);
  const may = useMay();
  const { permissions: held } = useHolder();
  // Nobody grants what they do not hold; what a member holds beyond that stays.
  const grantable = useMemo(() => new Set(userPermissions.filter((name) => held.has(name))), [held]);
  const choices = useMemo(() => sitesOf(clientId), [clientId]);
  return (
    <>
      {/* Who may not see sites does not choose them; those that are chosen stay. */}
      {may('listSites') && (
        <RemoteMultiSelect
          control={control}
          name={sites}
          label={t.sites}
          hint={t.sitesHint}
          choices={choices}
        />
      )}
      <PermissionsInput
        control={control}
        name={permissions}
        label={t.permissions}
        names={userPermissions}
        grantable={grantable}
      />
    </>
  );
}

const passwordInput = z.object({ password });

/** Sets a new password for a member, whose sessions end. */
export function MemberPasswordForm({ member, onClose }: FormProps & { member: Member }) {
  const t = useText(memberText);
  const { colon } = useText(kitText);
  const change = useChange('changeMemberPassword');
  const form = useSchemaForm(passwordInput, { password: '' });
  const submit = submitForm(form, async (body) => {
    await change.mutateAsync({ params: { id: member.id }, body });
    notify.success(t.passwordChanged);
    onClose();
  });
  return (
    <FormDrawer
      title={`${t.changePassword}${colon}${member.name}`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
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
