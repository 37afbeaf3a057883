import { accountRoutes, type AccountSession } from '@breakwater/contract';
import { Stack, Tooltip } from '@mui/material';
import { useMemo, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { deviceOf } from './device.ts';

/** Where one is signed in. */
export function SessionList() {
  const t = useText(accountText).sessions;
  const [search, setSearch] = useSearchState(accountRoutes.listSessions.query);
  const sessions = useApi('listSessions', { query: search }, { keepPrevious: true });
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null);
  const isAlone = (sessions.data?.total ?? 0) < 2;
  const actionsFor = (session: AccountSession): RowAction[] => [
    {
      label: t.end,
      icon: 'sign-out',
      destructive: true,
      onClick: () => setEnding(session),
      disabledReason: session.current ? t.isCurrent : undefined,
    },
  ];
  return (
    <>
      <DataTable
        label={t.title}
        id="sessions"
        columns={useColumns()}
        read={sessions}
        rowKey={(session) => session.id}
        rowName={(session) => deviceOf(session.user_agent) || t.unknown}
        onPage={setSearch}
        actions={
          <ActionButton
            icon="sign-out"
            onClick={() => setEnding('others')}
            disabledReason={isAlone ? t.noOthers : undefined}
          >
            {t.endOthers}
          </ActionButton>
        }
        empty={<EmptyState icon="key" title={t.title} />}
        rowActions={actionsFor}
      />
      {ending && <Ending what={ending} onClose={() => setEnding(null)} />}
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
    <Tooltip title={userAgent}>
      <span>{deviceOf(userAgent) || t.unknown}</span>
    </Tooltip>
  );
}

function useColumns(): Column<AccountSession>[] {
  const t = useText(accountText).sessions;
  return useMemo(
    () => [
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
      { id: 'ip', header: t.ip, cell: (session) => session.ip },
      { id: 'used', header: t.used, cell: (session) => <Time at={session.last_used_at} relative /> },
      { id: 'created', header: t.created, cell: (session) => <Time at={session.created_at} /> },
      { id: 'expires', header: t.expires, cell: (session) => <Time at={session.expires_at} /> },
    ],
    [t],
  );
}
