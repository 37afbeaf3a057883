import type { AccessLogRecord } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Column } from '../../kit/table/data-table.tsx';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { accessLogText } from './access-log.text.ts';
import { useLogFieldValue, type LogField } from './log-field-value.tsx';

const statusTone = (status: number): Tone =>
  status >= 500 ? 'error' : status >= 400 ? 'warning' : status >= 300 ? 'info' : 'success';
const cacheTone = (status: string): Tone =>
  ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(status) ? 'success' : 'neutral';

/** Off until the reader chooses them. */
const others = [
  'country',
  'province',
  'carrier',
  'asn',
  'protocol',
  'tls_version',
  'user_agent',
  'referer',
  'content_type',
  'decision',
  'origin_time',
  'raw_remote_addr',
  'site_id',
  'node_id',
  'request_id',
] as const satisfies LogField[];

export function useAccessLogColumns(): Column<AccessLogRecord>[] {
  const t = useText(accessLogText).fields;
  const valueOf = useLogFieldValue();
  return useMemo(
    () => [
      { id: 'time', header: t.time, cell: (log) => <Time at={log.time} /> },
      {
        id: 'status',
        header: t.status,
        cell: (log) => <StatusChip tone={statusTone(log.status)} label={String(log.status)} />,
      },
      { id: 'method', header: t.method, cell: (log) => log.method },
      {
        id: 'request_uri',
        header: t.request_uri,
        cell: (log) => (
          <>
            <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
              {log.host}
            </Typography>
            <Typography
              variant="body2"
              sx={{ color: 'text.secondary', overflowWrap: 'anywhere', maxWidth: 420 }}
            >
              {log.request_uri}
            </Typography>
          </>
        ),
      },
      {
        id: 'cache_status',
        header: t.cache_status,
        cell: (log) =>
          log.cache_status ? <StatusChip tone={cacheTone(log.cache_status)} label={log.cache_status} /> : '–',
      },
      { id: 'remote_addr', header: t.remote_addr, cell: (log) => log.remote_addr },
      { id: 'bytes_sent', header: t.bytes_sent, align: 'right', cell: (log) => formatBytes(log.bytes_sent) },
      {
        id: 'request_time',
        header: t.request_time,
        align: 'right',
        cell: (log) => formatSeconds(log.request_time),
      },
      { id: 'origin_addr', header: t.origin_addr, hidden: true, cell: (log) => log.origin_addr || '–' },
      {
        id: 'origin_status',
        header: t.origin_status,
        hidden: true,
        align: 'right',
        cell: (log) => log.origin_status || '–',
      },
      ...others.map((field): Column<AccessLogRecord> => ({
        id: field,
        header: t[field],
        hidden: true,
        cell: (log) => <Broken>{valueOf(log, field) || '–'}</Broken>,
      })),
    ],
    [t, valueOf],
  );
}

/** A visitor's text may be one long word. */
function Broken({ children }: { children: ReactNode }) {
  return <span style={broken}>{children}</span>;
}
const broken = { overflowWrap: 'anywhere' } as const;
