import type { AdminUser } from '@breakwater/contract';
import { useState, type ReactNode } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useActivity } from '../../api/activity.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { ActivityDrawer } from '../../kit/activity.tsx';
import { activityText } from '../../kit/activity.text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { AdminUserCreateForm, AdminUserEditForm, AdminUserPasswordForm } from './admin-user-form.tsx';
import { adminUserText } from './admin-user.text.ts';

type What = 'activity' | 'edit' | 'password' | 'two-factor' | 'remove';
type Open = { what: 'add' } | { what: What; user: AdminUser };

/** What can be done with administrators, and the dialog of what was chosen. */
export function useAdminUserActions() {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const activity = useText(activityText);
  const may = useMay();
  const { user_id: own } = useAccount();
  const [open, setOpen] = useState<Open | null>(null);
  const denied = may('updateAdminUser') ? undefined : kit.noPermission;
  const actionsFor = (user: AdminUser): RowAction[] => {
    const disabledReason = denied ?? (user.beyond ? t.beyond : undefined);
    const action = (what: What, reason?: string) => ({
      onClick: () => setOpen({ what, user }),
      disabledReason: disabledReason ?? reason,
    });
    const isOwn = user.id === own ? t.own : undefined;
    return [
      { label: kit.edit, icon: 'edit', ...action('edit') },
      { label: t.changePassword, icon: 'key', ...action('password', isOwn) },
      { label: t.resetTwoFactor, icon: 'reset', ...action('two-factor', isOwn) },
      ...(may('listActivity')
        ? [
            {
              label: activity.title,
              icon: 'clock' as const,
              onClick: () => setOpen({ what: 'activity', user }),
            },
          ]
        : []),
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
    case 'two-factor':
      return <TwoFactorReset user={open.user} onClose={onClose} />;
    case 'activity':
      return <AdminUserActivity user={open.user} onClose={onClose} />;
    case 'remove':
      return <Removal user={open.user} onClose={onClose} />;
  }
}

function AdminUserActivity({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  return <ActivityDrawer name={user.username} read={useActivity('admin_user', user.id)} onClose={onClose} />;
}

function TwoFactorReset({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = useText(adminUserText).user;
  const reset = useChange('resetAdminTwoFactor');
  return (
    <Confirm
      title={t.resetTwoFactorTitle}
      body={t.resetTwoFactorBody(user.username)}
      action={t.resetTwoFactor}
      onConfirm={async () => {
        await reset.mutateAsync({ params: { id: user.id } });
        notify.success(t.twoFactorReset);
      }}
      onClose={onClose}
    />
  );
}

function Removal({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const remove = useChange('removeAdminUser');
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
