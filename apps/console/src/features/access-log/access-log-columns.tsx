import type { AccessLogRecord } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Column } from '../../kit/data-table.tsx';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { accessLogText } from './access-log.text.ts';

const statusTone = (status: number): Tone =>
  status >= 500 ? 'error' : status >= 400 ? 'warning' : status >= 300 ? 'info' : 'success';
const cacheTone = (status: string): Tone =>
  ['HIT', 'STALE', 'UPDATING', 'REVALIDATED'].includes(status) ? 'success' : 'neutral';

export function useAccessLogColumns(): Column<AccessLogRecord>[] {
  const t = useText(accessLogText).fields;
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
      { id: 'country', header: t.country, hidden: true, cell: (log) => log.country || '–' },
      { id: 'protocol', header: t.protocol, hidden: true, cell: (log) => log.protocol },
      { id: 'user_agent', header: t.user_agent, hidden: true, cell: (log) => log.user_agent || '–' },
      { id: 'referer', header: t.referer, hidden: true, cell: (log) => log.referer || '–' },
      { id: 'request_id', header: t.request_id, hidden: true, cell: (log) => log.request_id },
    ],
    [t],
  );
}
