import type { AccessLogRecord } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { Facts } from '../../kit/facts.tsx';
import { formatBytes, formatSeconds } from '../../kit/format.ts';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';
import { accessLogText } from './access-log.text.ts';

type Field = keyof AccessLogRecord;
/** Every field stands in exactly one group. */
const groups: { title: 'request' | 'response' | 'originPart'; fields: Field[] }[] = [
  {
    title: 'request',
    fields: [
      'time',
      'method',
      'scheme',
      'protocol',
      'host',
      'request_uri',
      'remote_addr',
      'raw_remote_addr',
      'remote_port',
      'request_length',
      'referer',
      'user_agent',
      'tls_version',
      'decision',
      'request_id',
      'site_id',
      'node_id',
      'client_id',
      'order_id',
    ],
  },
  {
    title: 'response',
    fields: ['status', 'cache_status', 'content_type', 'bytes_sent', 'body_bytes_sent', 'request_time'],
  },
  { title: 'originPart', fields: ['origin_addr', 'origin_status', 'origin_time', 'origin_bytes'] },
];
const wide: readonly Field[] = ['request_uri', 'referer', 'user_agent', 'request_id', 'host'];

export function AccessLogDrawer({ log, onClose }: { log: AccessLogRecord; onClose: () => void }) {
  const t = useText(accessLogText);
  const may = useMay();
  return (
    <InfoDrawer title={`${log.method} ${log.request_uri}`} onClose={onClose}>
      <Stack sx={{ gap: 4 }}>
        {log.site_id > 0 && may('explainLoggedRequest') && (
          <Box>
            <LinkButton
              target={to.siteDetail({ id: log.site_id }, { tab: 'explain', request_id: log.request_id })}
              icon="search"
            >
              {t.explain}
            </LinkButton>
          </Box>
        )}
        {groups.map(({ title, fields }) => (
          <section key={title} aria-label={t[title]}>
            <Typography variant="subtitle1" component="h3" sx={{ mb: 1.5 }}>
              {t[title]}
            </Typography>
            {title === 'originPart' && log.origin_addr === '' ? (
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t.none}
              </Typography>
            ) : (
              <Facts
                columns={4}
                facts={fields.map((field) => ({
                  label: t.fields[field],
                  value: shown(log, field),
                  wide: wide.includes(field),
                }))}
              />
            )}
          </section>
        ))}
      </Stack>
    </InfoDrawer>
  );
}

function shown(log: AccessLogRecord, field: Field): ReactNode {
  switch (field) {
    case 'time':
      return <Time at={log.time} />;
    case 'request_id':
    case 'remote_addr':
      return <CopyText text={log[field]} />;
    case 'request_length':
    case 'bytes_sent':
    case 'body_bytes_sent':
    case 'origin_bytes':
      return formatBytes(log[field]);
    case 'request_time':
    case 'origin_time':
      return formatSeconds(log[field]);
    default:
      return log[field];
  }
}
