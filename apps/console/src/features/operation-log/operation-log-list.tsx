import { operatorTypes, operationLogRoutes } from '@breakwater/contract';
import { Chip, Stack, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import type { Row } from '../../api/client.ts';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Facts } from '../../kit/facts.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { Page } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { monospace } from '../../theme/theme.ts';
import { operationLogText } from './operation-log.text.ts';

type LogRow = Row<'listOperationLogs'>;
const filterNames = ['user_type', 'user_id', 'method', 'path', 'ip', 'request_id'] as const;
const pageSize = 20;
const query = operationLogRoutes.listOperationLogs.query.extend({
  page_size: operationLogRoutes.listOperationLogs.query.shape.page_size.unwrap().default(pageSize),
});

export const firstRead = firstPageOf('listOperationLogs', query);

export function OperationLogList() {
  const t = useText(operationLogText);
  const [search, setSearch] = useSearchState(query);
  const logs = useApi(
    'listOperationLogs',
    { query: search },
    { keepPrevious: true, refetchInterval: 10_000 },
  );
  const [shown, setShown] = useState<LogRow | null>(null);
  const columns = useMemo<Column<LogRow>[]>(
    () => [
      { id: 'time', header: t.time, cell: (log) => <Time at={log.created_at} /> },
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
        cell: (log) => (
          <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
            <Chip size="small" label={log.method} variant="outlined" />
            <Typography
              component="span"
              sx={{ fontFamily: monospace, fontSize: 13, overflowWrap: 'anywhere' }}
            >
              {log.path}
            </Typography>
          </Stack>
        ),
      },
      {
        id: 'status',
        header: t.status,
        cell: ({ status }) => (
          <StatusChip
            tone={status < 400 ? 'success' : status < 500 ? 'warning' : 'error'}
            label={String(status)}
          />
        ),
      },
      { id: 'ip', header: t.ip, cell: (log) => log.ip },
      { id: 'duration', header: t.duration, align: 'right', cell: (log) => `${log.duration_ms} ms` },
    ],
    [t],
  );
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <DataTable
        label={t.title}
        id="operation-logs"
        columns={columns}
        read={logs}
        rowKey={(log) => log.id}
        rowName={(log) => log.path}
        onPage={setSearch}
        onRowClick={setShown}
        filtered={filterNames.some((name) => search[name] !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              { name: 'path', label: t.path, kind: 'text', inBar: true },
              {
                name: 'method',
                label: t.method,
                kind: 'select',
                inBar: true,
                options: ['POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value })),
              },
              {
                name: 'user_type',
                label: t.userType,
                kind: 'select',
                options: operatorTypes.map((value) => ({ value, label: t.userTypes[value] })),
              },
              { name: 'user_id', label: t.userId, kind: 'number' },
              { name: 'ip', label: t.ip, kind: 'text' },
              { name: 'request_id', label: t.requestId, kind: 'text' },
            ]}
          />
        }
        empty={<EmptyState icon="audit" title={t.empty} hint={t.emptyHint} />}
      />
      {shown && <OperationLogDrawer log={shown} onClose={() => setShown(null)} />}
    </Page>
  );
}

function OperationLogDrawer({ log, onClose }: { log: LogRow; onClose: () => void }) {
  const t = useText(operationLogText);
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
            { label: t.user, value: `${log.user_name || '–'} (${t.userTypes[log.user_type]})` },
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
