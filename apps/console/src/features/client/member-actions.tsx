import type { Member } from '@breakwater/contract';
import { useCallback, useState, type ReactNode } from 'react';
import { useAccount, useHolder, useMay } from '../../api/account.ts';
import { useActivity } from '../../api/activity.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActivityDrawer } from '../../kit/activity.tsx';
import { activityText } from '../../kit/activity.text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { MemberCreateForm, MemberEditForm, MemberPasswordForm } from './member-form.tsx';
import { memberText } from './member.text.ts';

type What = 'edit' | 'password' | 'two-factor' | 'activity' | 'remove';
type Open = { what: 'add' } | { what: What; member: Member };

/** What can be done with members, and the dialog of what was chosen. `clientId` is the customer's, for operators. */
export function useMemberActions(clientId: number | undefined) {
  const t = useText(memberText);
  const kit = useText(kitText);
  const activity = useText(activityText);
  const may = useMay();
  const { permissions: held } = useHolder();
  const isOwn = useIsOwn();
  const [open, setOpen] = useState<Open | null>(null);
  const deniedEdit = may('updateMember') ? undefined : kit.noPermission;
  const deniedPassword = may('changeMemberPassword') ? undefined : kit.noPermission;
  const actionsFor = (member: Member): RowAction[] => {
    const beyond = member.permissions.every((name) => held.has(name)) ? undefined : t.beyond;
    const action = (what: What, disabledReason?: string) => ({
      onClick: () => setOpen({ what, member }),
      disabledReason,
    });
    const ofPassword = deniedPassword ?? beyond ?? (isOwn(member) ? t.own : undefined);
    return [
      { label: kit.edit, icon: 'edit', ...action('edit', deniedEdit ?? beyond) },
      { label: t.changePassword, icon: 'key', ...action('password', ofPassword) },
      { label: t.resetTwoFactor, icon: 'reset', ...action('two-factor', ofPassword) },
      ...(may('listActivity')
        ? [{ label: activity.title, icon: 'clock' as const, ...action('activity') }]
        : []),
      { label: kit.remove, icon: 'delete', destructive: true, ...action('remove', deniedEdit ?? beyond) },
    ];
  };
  const close = () => setOpen(null);
  return {
    actionsFor,
    add: () => setOpen({ what: 'add' }),
    dialog: open && <OpenDialog open={open} clientId={clientId} onClose={close} />,
  };
}

/** Whether a member is who is signed in. */
export function useIsOwn(): (member: Member) => boolean {
  const { role, email: own } = useAccount();
  return useCallback(({ email }) => role === 'user' && email === own, [role, own]);
}

interface OpenDialogProps {
  open: Open;
  clientId: number | undefined;
  onClose: () => void;
}

function OpenDialog({ open, clientId, onClose }: OpenDialogProps): ReactNode {
  switch (open.what) {
    case 'add':
      return <MemberCreateForm clientId={clientId} onClose={onClose} />;
    case 'edit':
      return <MemberEditForm member={open.member} onClose={onClose} />;
    case 'password':
      return <MemberPasswordForm member={open.member} onClose={onClose} />;
    case 'two-factor':
      return <TwoFactorReset member={open.member} onClose={onClose} />;
    case 'activity':
      return <MemberActivity member={open.member} onClose={onClose} />;
    case 'remove':
      return <Removal member={open.member} onClose={onClose} />;
  }
}

interface DialogProps {
  member: Member;
  onClose: () => void;
}

function MemberActivity({ member, onClose }: DialogProps) {
  return <ActivityDrawer name={member.name} read={useActivity('member', member.id)} onClose={onClose} />;
}

function TwoFactorReset({ member, onClose }: DialogProps) {
  const t = useText(memberText);
  const reset = useChange('resetMemberTwoFactor', ['listMembers']);
  return (
    <Confirm
      title={t.resetTwoFactorTitle}
      body={t.resetTwoFactorBody(member.name)}
      action={t.resetTwoFactor}
      onConfirm={async () => {
        await reset.mutateAsync({ params: { id: member.id } });
        notify.success(t.twoFactorReset);
      }}
      onClose={onClose}
    />
  );
}

function Removal({ member, onClose }: DialogProps) {
  const t = useText(memberText);
  const kit = useText(kitText);
  const remove = useChange('removeMember', ['listMembers']);
  return (
    <Confirm
      title={t.removeTitle}
      body={t.removeBody(member.name)}
      action={kit.remove}
      typed={member.name}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: member.id } });
        notify.success(t.removed);
      }}
      onClose={onClose}
    />
  );
}
