import type { AdminUser } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { AdminUserCreateForm, AdminUserEditForm, AdminUserPasswordForm } from './admin-user-form.tsx';
import { adminUserText } from './admin-user.text.ts';

type Open = { what: 'add' } | { what: 'edit' | 'password' | 'remove'; user: AdminUser };

/** What can be done with administrators, and the dialog of what was chosen. */
export function useAdminUserActions() {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const may = useMay();
  const [open, setOpen] = useState<Open | null>(null);
  const denied = may('updateAdminUser') ? undefined : kit.noPermission;
  const actionsFor = (user: AdminUser): RowAction[] => {
    const disabledReason = denied ?? (user.beyond ? t.beyond : undefined);
    const action = (what: 'edit' | 'password' | 'remove') => ({
      onClick: () => setOpen({ what, user }),
      disabledReason,
    });
    return [
      { label: kit.edit, icon: 'edit', ...action('edit') },
      { label: t.changePassword, icon: 'key', ...action('password') },
      { label: kit.remove, icon: 'delete', destructive: true, ...action('remove') },
    ];
  };
  const close = () => setOpen(null);
  return {
    actionsFor,
    add: () => setOpen({ what: 'add' }),
    dialog: open && <OpenDialog open={open} onClose={close} />,
  };
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }): ReactNode {
  switch (open.what) {
    case 'add':
      return <AdminUserCreateForm onClose={onClose} />;
    case 'edit':
      return <AdminUserEditForm user={open.user} onClose={onClose} />;
    case 'password':
      return <AdminUserPasswordForm user={open.user} onClose={onClose} />;
    case 'remove':
      return <Removal user={open.user} onClose={onClose} />;
  }
}

function Removal({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const remove = useChange('removeAdminUser', ['listAdminUsers', 'listAdminGroups']);
  return (
    <Confirm
      title={t.removeTitle}
      body={t.removeBody(user.username)}
      action={kit.remove}
      typed={user.username}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: user.id } });
        notify.success(t.removed);
      }}
      onClose={onClose}
    />
  );
}
