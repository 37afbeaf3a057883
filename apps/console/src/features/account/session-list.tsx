import { accountRoutes, type AccountSession } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { deviceOf } from './device.ts';
import { Hint } from '../../kit/hint.tsx';

const sessions = listOf('listSessions', accountRoutes.listSessions.query);

const useColumns = sessions.columns(accountText, ({ sessions: t }, column) => [
  {
    id: 'device',
    header: t.device,
    cell: ({ user_agent, current: isCurrent }) => (
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
        <Device userAgent={user_agent} />
        {isCurrent && <StatusChip tone="success" label={t.own} />}
      </Stack>
    ),
  },
  column.text('ip', t.ip),
  column.time('last_used_at', t.used, { relative: true }),
  column.time('created_at', t.created),
  column.time('expires_at', t.expires),
]);

/** Where one is signed in. */
export function SessionList() {
  const t = useText(accountText).sessions;
  const list = sessions.use();
  const nameOf = (session: AccountSession) => deviceOf(session.user_agent) || t.unknown;
  const ending = useRowDialog<AccountSession>({
    route: 'endSession',
    label: t.end,
    icon: 'sign-out',
    destructive: true,
    render: (session, close) => <Ending what={session} onClose={close} />,
  });
  const [endingOthers, setEndingOthers] = useState(false);
  const isAlone = (list.read.data?.total ?? 0) < 2;
  return (
    <>
      <ListTable
        id="sessions"
        list={list}
        text={{ title: t.title, empty: t.title, emptyHint: '' }}
        icon="session"
        actions={
          <ActionButton
            icon="sign-out"
            onClick={() => setEndingOthers(true)}
            disabledReason={isAlone ? t.noOthers : undefined}
          >
            {t.endOthers}
          </ActionButton>
        }
        columns={useColumns()}
        rowName={nameOf}
        // One's own is ended by signing out, which also forgets it in this browser.
        rowActions={(session) => [ending.action(session, session.current && t.isCurrent)]}
      />
      {ending.dialog}
      {endingOthers && <Ending what="others" onClose={() => setEndingOthers(false)} />}
    </>
  );
}

function Ending({ what, onClose }: { what: AccountSession | 'others'; onClose: () => void }) {
  const t = useText(accountText).sessions;
  const endOne = useChange('endSession');
  const endOthers = useChange('endOtherSessions');
  const isAll = what === 'others';
  return (
    <Confirm
      title={isAll ? t.endOthersTitle : t.endTitle}
      body={isAll ? t.endOthersBody : t.endBody(deviceOf(what.user_agent) || t.unknown, what.ip)}
      action={t.end}
      onConfirm={async () => {
        await (isAll ? endOthers.mutateAsync({}) : endOne.mutateAsync({ params: { id: what.id } }));
        notify.success(t.ended);
      }}
      onClose={onClose}
    />
  );
}

/** What is known of it; the rest on hover. */
function Device({ userAgent }: { userAgent: string }) {
  const t = useText(accountText).sessions;
  return (
    <Hint title={userAgent}>
      <span>{deviceOf(userAgent) || t.unknown}</span>
    </Hint>
  );
}
