import { excludableFields, type AccessLogRow, type ExcludableField } from '@breakwater/contract';
import { Button, Stack, Typography } from '@mui/material';
import { useMay } from '../../api/account.ts';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { Facts } from '../../kit/facts.tsx';
import { Icon } from '../../kit/icon.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { LinkButton } from '../../kit/router-link.tsx';
import { AttackActions } from './attack-actions.tsx';
import { logText } from './log.text.ts';
import type { FieldSearch } from './field-search.ts';
import { useLogFieldValue, type LogField } from './field-value.tsx';

/** Every field stands in exactly one group. */
const groups: { title: 'request' | 'response' | 'originPart'; fields: LogField[] }[] = [
  {
    title: 'request',
    fields: [
      'decision',
      'waf',
      'waf_part',
      'waf_tags',
      'time',
      'method',
      'scheme',
      'protocol',
      'host',
      'request_uri',
      'remote_addr',
      'raw_remote_addr',
      'country',
      'province',
      'carrier',
      'asn',
      'remote_port',
      'request_length',
      'referer',
      'user_agent',
      'tls_version',
      'ja4',
      'request_id',
      'site_id',
      'node_id',
      'client_id',
      'order_id',
      'line_group_name',
    ],
  },
  {
    title: 'response',
    fields: [
      'status',
      'cache_status',
      'cache_reason',
      'content_type',
      'bytes_sent',
      'body_bytes_sent',
      'request_time',
    ],
  },
  { title: 'originPart', fields: ['origin_addr', 'origin_status', 'origin_time', 'origin_bytes'] },
];
const wide: readonly LogField[] = [
  'decision',
  'waf',
  'waf_part',
  'request_uri',
  'referer',
  'user_agent',
  'ja4',
  'request_id',
  'host',
];

interface AccessLogDrawerProps {
  log: AccessLogRow;
  search: FieldSearch;
  onClose: () => void;
}

export function AccessLogDrawer({ log, search, onClose }: AccessLogDrawerProps) {
  const t = useText(logText);
  const may = useMay();
  const valueOf = useLogFieldValue();
  return (
    <InfoDrawer title={`${log.method} ${log.request_uri}`} onClose={onClose}>
      <Stack sx={{ gap: 4 }}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {log.site_id > 0 && may('explainLoggedRequest') && (
            <LinkButton
              target={to.siteDetail({ id: log.site_id }, { tab: 'explain', request_id: log.request_id })}
              icon="search"
            >
              {t.explain}
            </LinkButton>
          )}
          <AttackActions log={log} />
          <Button startIcon={<Icon name="filter" />} onClick={() => search.all(log, 'remote_addr')}>
            {t.allOfAddress}
          </Button>
          <Button startIcon={<Icon name="filter" />} onClick={() => search.all(log, 'request_id')}>
            {t.allOfRequest}
          </Button>
        </Stack>
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
                facts={fields
                  .filter((field) => isTold(log, field))
                  .map((field) => ({
                    label: t.fields[field],
                    value: isExcludable(field) ? (
                      <Searched log={log} field={field} search={search} />
                    ) : (
                      valueOf(log, field)
                    ),
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

/** Of most requests protection has nothing to say, and most sites log no fingerprints. */
const told: readonly LogField[] = ['decision', 'waf', 'waf_part', 'waf_tags', 'ja4'];
const isTold = (log: AccessLogRow, field: LogField): boolean =>
  !told.includes(field) || log[field as 'decision'] !== '';

const isExcludable = (field: LogField): field is ExcludableField =>
  (excludableFields as readonly string[]).includes(field);

/** The value, and beside it what a search can make of it. */
function Searched({
  log,
  field,
  search,
}: {
  log: AccessLogRow;
  field: ExcludableField;
  search: FieldSearch;
}) {
  const t = useText(logText);
  const valueOf = useLogFieldValue();
  if (log[field] === '') return '–';
  const name = t.fields[field];
  return (
    <Stack direction="row" component="span" sx={{ alignItems: 'center', gap: 0.5 }}>
      <span>{valueOf(log, field)}</span>
      {log[field] !== 0 && (
        <ActionIcon icon="filter" label={t.only(name)} onClick={() => search.only(log, field)} />
      )}
      <ActionIcon icon="minus" label={t.exclude(name)} onClick={() => search.exclude(log, field)} />
    </Stack>
  );
}
