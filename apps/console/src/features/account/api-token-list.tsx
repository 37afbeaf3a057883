import { apiTokenRoutes, type ApiToken } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useState } from 'react';
import { useRemoval } from '../../frame/asking.tsx';
import { useAdding } from '../../frame/editing.tsx';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { monospace } from '../../theme/theme.ts';
import { accountText } from './account.text.ts';
import { ApiTokenForm } from './api-token-form.tsx';
import { NewApiToken } from './new-api-token.tsx';

const tokens = listOf('listApiTokens', apiTokenRoutes.listApiTokens.query);
/** Kept in the list until it is deleted, so that one sees why a program is refused. */
const isOver = ({ expires_at: end }: ApiToken): boolean => end !== null && Date.parse(end) <= Date.now();

const useColumns = tokens.columns(accountText, ({ tokens: t }, column) => [
  column.name(t.name, ({ name }) => name),
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
  { id: 'expires', header: t.expires, cell: (token) => <End token={token} /> },
  { id: 'used', header: t.used, cell: (token) => <LastUse token={token} /> },
  column.time('created_at', t.created, { hidden: true }),
]);

/** One's own API tokens. Of a token the beginning alone is known (`hint`): the server stores its hash. */
export function ApiTokenList() {
  const t = useText(accountText).tokens;
  const [made, setMade] = useState<string | null>(null);
  const { add, dialog } = useAdding({
    create: 'createApiToken',
    text: t,
    form: (close) => (
      <ApiTokenForm
        // The form gives way to the token, which is shown this once.
        onToken={(token) => {
          setMade(token);
          close();
        }}
        onClose={close}
      />
    ),
  });
  const removal = useRemoval<ApiToken>('removeApiToken', { text: t, body: ({ name }) => t.removeBody(name) });
  return (
    <>
      <ListTable
        id="api-tokens"
        list={tokens.use()}
        text={t}
        icon="token"
        add={add}
        actions={add}
        columns={useColumns()}
        rowName={({ name }) => name}
        rowActions={(token) => [removal.action(token)]}
      />
      {dialog}
      {made !== null && <NewApiToken token={made} onClose={() => setMade(null)} />}
      {removal.dialog}
    </>
  );
}

function End({ token }: { token: ApiToken }) {
  const t = useText(accountText).tokens;
  if (isOver(token)) return <StatusChip tone="error" label={t.over} />;
  return token.expires_at ? <Time at={token.expires_at} /> : t.never;
}

function LastUse({ token: { last_used_at: at, last_used_ip: ip } }: { token: ApiToken }) {
  const t = useText(accountText).tokens;
  if (at === null) return t.unused;
  return (
    <>
      <Time at={at} relative />{' '}
      <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
        {ip}
      </Typography>
    </>
  );
}
