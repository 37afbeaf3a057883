import type { AccessLogRow } from '@breakwater/contract';
import { useMemo } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Column } from '../../kit/table/data-table.tsx';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { logText } from './log.text.ts';
import { useLogFieldValue, type LogField } from './field-value.tsx';

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
  'ja4',
  'user_agent',
  'referer',
  'content_type',
  'decision',
  'waf',
  'waf_part',
  'waf_tags',
  'origin_time',
  'raw_remote_addr',
  'site_id',
  'order_id',
  'line_group_name',
  'client_id',
  'node_id',
  'request_id',
] as const satisfies LogField[];

/** `onOpen` shows all of a record: its time leads there. */
export function useAccessLogColumns(onOpen: (log: AccessLogRow) => void): Column<AccessLogRow>[] {
  const t = useText(logText).fields;
  const valueOf = useLogFieldValue();
  return useMemo(
    () => [
      {
        id: 'time',
        header: t.time,
        cell: (log) => (
          <button type="button" className="text-link" onClick={() => onOpen(log)}>
            <Time at={log.time} />
          </button>
        ),
      },
      {
        id: 'status',
        header: t.status,
        cell: (log) => <StatusChip tone={statusTone(log.status)} label={String(log.status)} />,
      },
      { id: 'method', header: t.method, cell: (log) => log.method },
      { id: 'host', header: t.host, cell: (log) => log.host || '–' },
      { id: 'request_uri', header: t.request_uri, cell: (log) => <bdi dir="ltr">{log.request_uri}</bdi> },
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
      ...others.map((field): Column<AccessLogRow> => ({
        id: field,
        header: t[field],
        hidden: true,
        cell: (log) => valueOf(log, field) || '–',
      })),
    ],
    [t, valueOf, onOpen],
  );
}
