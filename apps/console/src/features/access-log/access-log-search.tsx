import {
  readExclusions,
  writeExclusions,
  type AccessLogRecord,
  type ExcludableField,
  type Exclusion,
} from '@breakwater/contract';
import { Alert, Button, Chip, LinearProgress, Stack } from '@mui/material';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount, formatDateTime } from '../../kit/format.ts';
import { Icon } from '../../kit/icon.tsx';
import type { FieldSearch } from './access-log-drawer.tsx';
import { accessLogText } from './access-log.text.ts';
import type { LogSearch } from './use-log-search.ts';

/** Searches whose filter is called otherwise than the field. */
const filterNames: Partial<Record<ExcludableField, string>> = {
  referer: 'http_referer',
  status: 'status_code',
  country: 'geoip_country_code',
};
const longAfterMs = 1500;

/** What the buttons beside a record's values do to the search. */
export function fieldSearchOf(
  exclude: string | undefined,
  setSearch: (patch: Record<string, unknown>) => void,
): FieldSearch {
  return {
    only: (log, field) =>
      setSearch({ [field === 'request_id' ? field : (filterNames[field] ?? field)]: log[field] }),
    exclude: (log: AccessLogRecord, field) => {
      const value = String(log[field]);
      // A visitor may send a line break; the list of what is left out has a line for each.
      if (value.includes('\n')) return;
      const others = (readExclusions(exclude ?? '') ?? []).filter(
        (each) => each.field !== field || each.value !== value,
      );
      setSearch({ exclude: writeExclusions([...others, { field, value }]) });
    },
  };
}

interface ExclusionsProps {
  text: string | undefined;
  onChange: (text: string | undefined) => void;
}

/** What the search leaves out, each with a way back. */
export function Exclusions({ text, onChange }: ExclusionsProps) {
  const t = useText(accessLogText);
  const exclusions = readExclusions(text ?? '') ?? [];
  if (exclusions.length === 0) return null;
  const without = (gone: Exclusion) =>
    onChange(writeExclusions(exclusions.filter((each) => each !== gone)) || undefined);
  return (
    <Stack direction="row" role="group" aria-label={t.excludedList} sx={{ gap: 1, flexWrap: 'wrap' }}>
      {exclusions.map((each) => (
        <Chip
          key={`${each.field}=${each.value}`}
          size="small"
          variant="outlined"
          label={t.excluded(t.fields[each.field], each.value)}
          aria-label={t.includeAgain(t.excluded(t.fields[each.field], each.value))}
          onClick={() => without(each)}
          onDelete={() => without(each)}
          deleteIcon={
            <span aria-hidden="true">
              <Icon name="close" size={16} />
            </span>
          }
          sx={{ maxWidth: 360 }}
        />
      ))}
    </Stack>
  );
}

interface LongSearchProps {
  search: Pick<LogSearch, 'read' | 'progress' | 'stop'>;
  stopped: boolean;
  onStop: () => void;
  onAgain: () => void;
}

/** A search that takes long says how far it is, and can be stopped: the store then stops as well. */
export function LongSearch({ search, stopped, onStop, onAgain }: LongSearchProps) {
  const t = useText(accessLogText);
  const { isFetching } = search.read;
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!isFetching) return undefined;
    const timer = setTimeout(() => setLong(true), longAfterMs);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isFetching]);
  if (stopped)
    return (
      <Alert severity="info" action={<Button onClick={onAgain}>{t.again}</Button>}>
        {t.stopped} <SoFar progress={search.progress} />
      </Alert>
    );
  if (!long) return null;
  const stop = () => {
    onStop();
    search.stop();
  };
  return (
    <Alert
      severity="info"
      icon={false}
      action={<Button onClick={stop}>{t.stop}</Button>}
      sx={{ '& .MuiAlert-message': { flex: 1 } }}
    >
      {t.searching} <SoFar progress={search.progress} />
      <LinearProgress
        aria-label={t.searching}
        {...(search.progress ? { variant: 'determinate', value: search.progress.share * 100 } : {})}
        sx={{ mt: 1 }}
      />
    </Alert>
  );
}

function SoFar({ progress }: Pick<LogSearch, 'progress'>) {
  const t = useText(accessLogText);
  const language = useLanguage();
  if (!progress) return null;
  return <>{t.soFar(formatCount(progress.total), formatDateTime(progress.reached, language) ?? '')}</>;
}
