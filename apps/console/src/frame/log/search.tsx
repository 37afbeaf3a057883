import { readExclusions, writeExclusions, type Exclusion } from '@breakwater/contract';
import { Alert, Button, Chip, LinearProgress, Stack } from '@mui/material';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { formatCount, formatDateTime } from '../../kit/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { logText } from './log.text.ts';
import type { LogSearch } from './use-search.ts';

const longAfterMs = 1500;

interface ExclusionsProps {
  text: string | undefined;
  onChange: (text: string | undefined) => void;
}

/** What the search leaves out, each with a way back. */
export function Exclusions({ text, onChange }: ExclusionsProps) {
  const t = useText(logText);
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
  const t = useText(logText);
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
  const t = useText(logText);
  const language = useLanguage();
  if (!progress) return null;
  return <>{t.soFar(formatCount(progress.total), formatDateTime(progress.reached, language) ?? '')}</>;
}
