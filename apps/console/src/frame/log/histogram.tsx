import type { Arguments } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Histogram } from '../../kit/charts/histogram.tsx';
import { formatCount, formatRange } from '../../kit/format.ts';
import { logText } from './log.text.ts';

interface LogHistogramProps {
  query: Arguments<'countAccessLogs'>['query'];
  /** New records come at its end. */
  live: boolean;
  onSelect: (range: { start_time: string; end_time: string | undefined }) => void;
}

const liveMs = 15_000;

/** What the search finds over its time. A part of it that is selected becomes the range of the search. */
export function LogHistogram({ query, live, onSelect }: LogHistogramProps) {
  const t = useText(logText);
  const language = useLanguage();
  const { data } = useApi(
    'countAccessLogs',
    { query },
    { keepPrevious: true, ...(live ? { refetchInterval: liveMs } : {}) },
  );
  const bars = data?.list.map(({ time, requests, errors }) => {
    const from = Date.parse(time);
    return { from, until: from + data.interval * 1000, value: requests, marked: errors };
  });
  return (
    <Histogram
      label={t.histogram}
      hint={t.histogramHint}
      bars={bars}
      describe={({ from, until, value, marked }) =>
        t.bar(formatRange(iso(from), iso(until), language), formatCount(value), formatCount(marked))
      }
      onSelect={({ from, until }) =>
        onSelect({
          start_time: iso(from),
          // The newest part goes on to grow.
          end_time:
            until >= (bars?.at(-1)?.until ?? 0) && query?.end_time === undefined ? undefined : iso(until),
        })
      }
    />
  );
}

const iso = (time: number): string => new Date(time).toISOString();
