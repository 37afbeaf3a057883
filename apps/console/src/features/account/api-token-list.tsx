import { apiTokenRoutes, type ApiToken } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { monospace } from '../../theme/theme.ts';
import { accountText } from './account.text.ts';
import { ApiTokenForm } from './api-token-form.tsx';
import { NewApiToken } from './new-api-token.tsx';

type Open = 'form' | { token: string } | { removing: ApiToken };

export function ApiTokenList() {
  const t = useText(accountText).tokens;
  const kit = useText(kitText);
  const [search, setSearch] = useSearchState(apiTokenRoutes.listApiTokens.query);
  const tokens = useApi('listApiTokens', { query: search }, { keepPrevious: true });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const add = (
    <ActionButton icon="add" variant="contained" onClick={() => setOpen('form')}>
      {t.add}
    </ActionButton>
  );
  const actionsFor = (token: ApiToken): RowAction[] => [
    { label: kit.remove, icon: 'delete', destructive: true, onClick: () => setOpen({ removing: token }) },
  ];
  return (
    <>
      <DataTable
        label={t.title}
        id="api-tokens"
        columns={useColumns()}
        read={tokens}
        rowKey={(token) => token.id}
        rowName={(token) => token.name}
        onPage={setSearch}
        actions={add}
        empty={<EmptyState icon="key" title={t.empty} hint={t.emptyHint} action={add} />}
        rowActions={actionsFor}
      />
      {open === 'form' && <ApiTokenForm onToken={(token) => setOpen({ token })} onClose={close} />}
      {open && typeof open === 'object' && 'token' in open && (
        <NewApiToken token={open.token} onClose={close} />
      )}
      {open && typeof open === 'object' && 'removing' in open && (
        <Removal token={open.removing} onClose={close} />
      )}
    </>
  );
}

function Removal({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const t = useText(accountText).tokens;
  const kit = useText(kitText);
  const remove = useChange('removeApiToken');
  return (
    <Confirm
      title={t.removeTitle}
      body={t.removeBody(token.name)}
      action={kit.remove}
      onConfirm={async () => {
        await remove.mutateAsync({ params: { id: token.id } });
        notify.success(t.removed);
      }}
      onClose={onClose}
    />
  );
}

const isOver = ({ expires_at: end }: ApiToken): boolean => end !== null && Date.parse(end) <= Date.now();

function useColumns(): Column<ApiToken>[] {
  const t = useText(accountText).tokens;
  return useMemo(
    () => [
      { id: 'name', header: t.name, cell: (token) => token.name },
      {
        id: 'hint',
        header: t.token,
        cell: (token) => (
          <Typography component="code" sx={{ fontFamily: monospace, fontSize: 13 }}>
            {token.hint}…
          </Typography>
        ),
      },
      { id: 'permissions', header: t.permissions, cell: (token) => t.count(token.permissions.length) },
      {
        id: 'networks',
        header: t.networks,
        cell: (token) => (token.networks.length > 0 ? token.networks.join(', ') : t.everywhere),
      },
      {
        id: 'sites',
        header: t.sites,
        cell: (token) => (token.site_ids.length > 0 ? t.siteCount(token.site_ids.length) : t.everywhere),
      },
      {
        id: 'expires',
        header: t.expires,
        cell: (token) =>
          isOver(token) ? (
            <StatusChip tone="error" label={t.over} />
          ) : token.expires_at ? (
            <Time at={token.expires_at} />
          ) : (
            t.never
          ),
      },
      {
        id: 'used',
        header: t.used,
        cell: (token) =>
          token.last_used_at ? (
            <>
              <Time at={token.last_used_at} relative />{' '}
              <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
                {token.last_used_ip}
              </Typography>
            </>
          ) : (
            t.unused
          ),
      },
      { id: 'created', header: t.created, hidden: true, cell: (token) => <Time at={token.created_at} /> },
    ],
    [t],
  );
}
