import { adminGroupInput, adminPermissions, type AdminGroup } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { useEntityForm } from '../../kit/entity-form.tsx';
import { TextInput } from '../../kit/fields.tsx';
import { PermissionsInput } from '../../kit/fields/permissions-input.tsx';
import { FormDrawer } from '../../kit/form-parts.tsx';
import { useFilledFrom } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { adminUserText } from './admin-user.text.ts';
import { useDescription, useGrantable, useGroupName } from './group-choice.ts';

interface AdminGroupFormProps {
  /** What is changed; without it a new one is made, of what `copy` holds. */
  group: AdminGroup | null;
  copy?: AdminGroup;
  onClose: () => void;
}

export function AdminGroupForm({ group, copy, onClose }: AdminGroupFormProps) {
  const t = useText(adminUserText).group;
  const inputOf = useInput();
  const grantable = useGrantable();
  const create = useChange('createAdminGroup');
  const update = useChange('updateAdminGroup');
  const current = useApi('getAdminGroup', { params: { id: group?.id ?? 0 } }, { enabled: false });
  const { form, submit, notice } = useEntityForm(adminGroupInput, {
    entity: group,
    inputOf: (item) => inputOf(item ?? undefined, copy),
    create: (body) => create.mutateAsync({ body }),
    update: (params, body) => update.mutateAsync({ params, body }),
    refetch: current.refetch,
    onSaved: () => {
      notify.success(t.saved);
      onClose();
    },
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer
      title={group ? t.edit : t.add}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      notice={notice}
    >
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={2} />
      {group && group.user_count > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.editHint}
        </Typography>
      )}
      <PermissionsInput
        control={form.control}
        name="permissions"
        label={t.permissions}
        names={adminPermissions}
        grantable={grantable}
      />
    </FormDrawer>
  );
}

/** What the form starts with. A copy holds of the original what can be granted. */
function useInput() {
  const t = useText(adminUserText).group;
  const nameOf = useGroupName();
  const descriptionOf = useDescription();
  const grantable = useGrantable();
  return (group?: AdminGroup, copy?: AdminGroup) => {
    const from = group ?? copy;
    return {
      name: group ? nameOf(group) : copy ? t.copyOf(nameOf(copy)) : '',
      description: from ? descriptionOf(from) : '',
      permissions: (from?.permissions ?? []).filter((name) => group !== undefined || grantable.has(name)),
    };
  };
}
