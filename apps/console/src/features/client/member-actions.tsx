import type { Member } from '@breakwater/contract';
import { useCallback } from 'react';
import { useAccount, useHolder } from '../../api/account.ts';
import { useRowActivity } from '../../frame/activity.tsx';
import { useAsking, useRemoval } from '../../frame/asking.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { MemberEditForm, MemberPasswordForm } from './member-form.tsx';
import { memberText } from './member.text.ts';

/** What can be done with members, and the dialogs of it. */
export function useMemberActions() {
  const t = useText(memberText);
  const kit = useText(kitText);
  const { permissions: held } = useHolder();
  const isOwn = useIsOwn();
  const editing = useRowDialog<Member>({
    route: 'updateMember',
    label: kit.edit,
    icon: 'edit',
    render: (member, close) => <MemberEditForm member={member} onClose={close} />,
  });
  const password = useRowDialog<Member>({
    route: 'changeMemberPassword',
    label: t.changePassword,
    icon: 'key',
    render: (member, close) => <MemberPasswordForm member={member} onClose={close} />,
  });
  const twoFactor = useAsking<Member>('resetMemberTwoFactor', {
    label: t.resetTwoFactor,
    icon: 'reset',
    title: t.resetTwoFactorTitle,
    body: ({ name }) => t.resetTwoFactorBody(name),
    done: t.twoFactorReset,
  });
  const activity = useRowActivity<Member>('member', ({ name }) => name);
  const removal = useRemoval<Member>('removeMember', {
    text: t,
    body: ({ name }) => t.removeBody(name),
    typed: ({ name }) => name,
  });
  return {
    actionsFor: (member: Member) => {
      // Whoever holds less than a member must not change them, or could take over what they do not hold.
      const beyond = !member.permissions.every((name) => held.has(name)) && t.beyond;
      // One's own password and second factor are changed in one's own account, where the old ones are asked for.
      const ofPassword = beyond || (isOwn(member) && t.own);
      return [
        editing.action(member, beyond),
        password.action(member, ofPassword),
        twoFactor.action(member, ofPassword),
        activity.action(member),
        removal.action(member, beyond),
      ];
    },
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

/** Whether a member is who is signed in. */
export function useIsOwn(): (member: Member) => boolean {
  const { role, email: own } = useAccount();
  return useCallback(({ email }) => role === 'user' && email === own, [role, own]);
}
