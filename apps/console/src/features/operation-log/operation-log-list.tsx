import { operatorTypes, operationLogRoutes } from '@breakwater/contract';
import { Chip, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import * as z from 'zod';
import type { Row } from '../../api/client.ts';
import { choices, numberFilter, selectFilter, textFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { Facts } from '../../kit/facts.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { monospace } from '../../theme/theme.ts';
import { operationLogText } from './operation-log.text.ts';

type LogRow = Row<'listOperationLogs'>;
const pageSize = 20;
/** Without `known`, which the list asks for by itself while nobody is chosen. */
const query = operationLogRoutes.listOperationLogs.query.extend({
  user_type: z.enum(operatorTypes).optional(),
  page_size: operationLogRoutes.listOperationLogs.query.shape.page_size.unwrap().default(pageSize),
});
const logs = listOf('listOperationLogs', query);
const methods = ['POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }));

const useColumns = logs.columns(operationLogText, (t, column) => [
  column.time('created_at', t.time),
  {
    id: 'user',
    header: t.user,
    cell: (log) => (
      <>
        {log.user_name || '–'}{' '}
        <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
          {log.program ? t.byToken(log.program) : t.userTypes[log.user_type]}
        </Typography>
      </>
    ),
  },
  {
    id: 'path',
    header: t.path,
    width: 320,
    cell: (log) => (
      <>
        {/* A space, for text runs from the left also where margins are mirrored. */}
        <Chip size="small" label={log.method} variant="outlined" />{' '}
        <Typography component="span" sx={{ fontFamily: monospace, fontSize: 13, overflowWrap: 'anywhere' }}>
          {log.path}
        </Typography>
      </>
    ),
  },
  column.status(t.status, ({ status }) => ({
    tone: status < 400 ? 'success' : status < 500 ? 'warning' : 'error',
    label: String(status),
  })),
  column.text('ip', t.ip),
  { id: 'duration', header: t.duration, align: 'right', cell: (log) => `${log.duration_ms} ms` },
]);

/**
 * Every call that changed something, as it came: who, from where, and what was answered. Secrets are masked by the server.
 */
export function OperationLogList() {
  const t = useText(operationLogText);
  const [{ user_type: userType }] = useSearchState(query, 'listOperationLogs');
  // Calls of nobody, such as sign-ins that failed and whoever tries addresses, are shown to those who ask for them.
  const narrowed = userType === undefined ? { user_type: 'known' as const } : {};
  const [shown, setShown] = useState<LogRow | null>(null);
  return (
    <>
      <ListTable
        id="operation-logs"
        list={logs.use({ refetchInterval: 10_000, narrowed })}
        text={t}
        icon="audit"
        columns={useColumns()}
        filters={[
          textFilter('path', t.path),
          selectFilter('method', t.method, methods),
          selectFilter('user_type', t.userType, choices(operatorTypes, t.userTypes)),
          numberFilter('user_id', t.userId),
          textFilter('ip', t.ip, { folded: true }),
          textFilter('request_id', t.requestId, { folded: true }),
        ]}
        rowName={(log) => log.path}
        onRowClick={setShown}
      />
      {shown && <OperationLogDrawer log={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function OperationLogDrawer({ log, onClose }: { log: LogRow; onClose: () => void }) {
  const t = useText(operationLogText);
  const { aside } = useText(kitText);
  const bodies = [
    [t.query, log.query],
    [t.requestBody, log.request_body],
    [t.responseBody, log.response_body],
  ].filter((pair): pair is [string, string] => pair[1] !== '');
  return (
    <InfoDrawer title={`${log.method} ${log.path}`} onClose={onClose}>
      <Stack sx={{ gap: 3 }}>
        <Facts
          columns={4}
          facts={[
            { label: t.time, value: <Time at={log.created_at} /> },
            { label: t.user, value: (log.user_name || '–') + aside(t.userTypes[log.user_type]) },
            ...(log.program ? [{ label: t.apiToken, value: log.program }] : []),
            { label: t.ip, value: log.ip },
            { label: t.status, value: log.status },
            { label: t.duration, value: `${log.duration_ms} ms` },
            { label: t.requestId, value: <CopyText text={log.request_id} label={t.requestId} />, wide: true },
          ]}
        />
        {bodies.map(([label, text]) => (
          <section key={label} aria-label={label}>
            <Typography variant="subtitle2" sx={{ mb: 0.5 }}>
              {label}
            </Typography>
            <JsonView text={text} />
          </section>
        ))}
      </Stack>
    </InfoDrawer>
  );
}
