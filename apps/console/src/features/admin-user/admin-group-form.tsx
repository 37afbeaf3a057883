import { adminGroupInput, adminPermissions, type AdminGroup } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useText } from '../../i18n/text.ts';
import { TextInput } from '../../kit/fields/inputs.tsx';
import { PermissionsInput } from '../../kit/fields/permissions-input.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { adminUserText } from './admin-user.text.ts';
import { useDescription, useGrantable, useGroupName } from './group-choice.ts';

interface AdminGroupFormProps {
  /** What is changed; without it a new one is made, of what `copy` holds. */
  group: AdminGroup | null;
  copy?: AdminGroup;
  onClose: () => void;
}

/** A group of permissions that administrators are put in. Whoever edits it grants at most what they hold themselves. */
export function AdminGroupForm({ group, copy, onClose }: AdminGroupFormProps) {
  const t = useText(adminUserText).group;
  const inputOf = useInput();
  const grantable = useGrantable();
  const { form, control, drawer } = useEntityDrawer(adminGroupInput, {
    get: 'getAdminGroup',
    create: 'createAdminGroup',
    update: 'updateAdminGroup',
    entity: group,
    inputOf: (item) => inputOf(item ?? undefined, copy),
    text: t,
    onClose,
  });
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={2} />
      {/* A change holds at once for everybody in the group. */}
      {group && group.user_count > 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t.editHint}
        </Typography>
      )}
      <PermissionsInput
        control={control}
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
      // A group that is changed keeps what its editor cannot grant: taking it away unseen would be no better than giving it.
      permissions: (from?.permissions ?? []).filter((name) => group !== undefined || grantable.has(name)),
    };
  };
}
