import { adminGroupUpdateInput, errors, type AdminGroup } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields.tsx';
import { FormDrawer, StaleAlert, rootError } from '../../kit/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { notify } from '../../kit/toast.ts';
import { adminUserText } from './admin-user.text.ts';
import { useDescription, useGrantable, useGroupName } from './group-choice.ts';
import { PermissionsInput } from './permissions-input.tsx';

interface AdminGroupFormProps {
  /** What is changed; without it a new one is made, of what `copy` holds. */
  group?: AdminGroup;
  copy?: AdminGroup;
  onClose: () => void;
}
const touched = ['listAdminGroups', 'getAdminGroup', 'listAdminUsers', 'currentAccount', 'getMenu'] as const;

export function AdminGroupForm({ group, copy, onClose }: AdminGroupFormProps) {
  const t = useText(adminUserText).group;
  const inputOf = useInput();
  const create = useChange('createAdminGroup', touched);
  const update = useChange('updateAdminGroup', touched);
  const current = useApi('getAdminGroup', { params: { id: group?.id ?? 0 } }, { enabled: false });
  const form = useSchemaForm(adminGroupUpdateInput, inputOf(group, copy));
  const submit = submitForm(form, async ({ version, ...body }) => {
    await (group
      ? update.mutateAsync({ params: { id: group.id }, body: { ...body, version } })
      : create.mutateAsync({ body }));
    notify.success(t.saved);
    onClose();
  });
  const reload = async () => {
    const { data } = await current.refetch();
    if (data) form.reset(inputOf(data), { keepDirtyValues: true });
  };
  return (
    <FormDrawer title={group ? t.edit : t.add} form={form} onSubmit={submit} onClose={onClose}>
      {rootError(form)?.code === errors.stale_version.code && (
        <StaleAlert onReload={() => void reload()} busy={current.isFetching} />
      )}
      <TextInput control={form.control} name="name" label={t.name} autoFocus />
      <TextInput control={form.control} name="description" label={t.description} rows={2} />
      {group && group.user_count > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.editHint}
        </Typography>
      )}
      <PermissionsInput control={form.control} name="permissions" label={t.permissions} />
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
      version: group?.version ?? 1,
    };
  };
}
