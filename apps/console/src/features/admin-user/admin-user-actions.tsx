import type { AdminUser } from '@breakwater/contract';
import { useAccount } from '../../api/account.ts';
import { useRowActivity } from '../../frame/activity.tsx';
import { useAsking, useRemoval } from '../../frame/asking.tsx';
import type { ActionsOf } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { AdminUserEditForm, AdminUserPasswordForm } from './admin-user-form.tsx';
import { adminUserText } from './admin-user.text.ts';

/** What can be done with administrators, and the dialogs of it. */
export function useAdminUserActions() {
  const t = useText(adminUserText).user;
  const kit = useText(kitText);
  const { user_id: own } = useAccount();
  const editing = useRowDialog<AdminUser>({
    route: 'updateAdminUser',
    label: kit.edit,
    icon: 'edit',
    render: (user, close) => <AdminUserEditForm user={user} onClose={close} />,
  });
  const password = useRowDialog<AdminUser>({
    route: 'changeAdminPassword',
    label: t.changePassword,
    icon: 'key',
    render: (user, close) => <AdminUserPasswordForm user={user} onClose={close} />,
  });
  const twoFactor = useAsking<AdminUser>('resetAdminTwoFactor', {
    label: t.resetTwoFactor,
    icon: 'reset',
    title: t.resetTwoFactorTitle,
    body: ({ username }) => t.resetTwoFactorBody(username),
    done: t.twoFactorReset,
  });
  const activity = useRowActivity<AdminUser>('admin_user', ({ username }) => username);
  const removal = useRemoval<AdminUser>('removeAdminUser', {
    text: t,
    body: ({ username }) => t.removeBody(username),
    typed: ({ username }) => username,
  });
  const actionsFor: ActionsOf<AdminUser> = (user) => {
    // The server says so: the user's group holds more than the reader does.
    const beyond = user.beyond && t.beyond;
    const isOwn = user.id === own && t.own;
    return [
      editing.action(user, beyond),
      // One's own are changed in one's own account, where the old ones are asked for.
      password.action(user, beyond || isOwn),
      twoFactor.action(user, beyond || isOwn),
      activity.action(user),
      removal.action(user, beyond),
    ];
  };
  return {
    actionsFor,
    dialogs: (
      <>
        {editing.dialog}
        {password.dialog}
        {twoFactor.dialog}
        {activity.dialog}
        {removal.dialog}
      </>
    ),
  };
}
