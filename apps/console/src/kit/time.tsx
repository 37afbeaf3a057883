import { useEffect, useReducer } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import type { TimeRange } from '../api/time-step.ts';
import { formatDateTime, formatOffset, formatRange, formatZone } from './format.ts';
import { kitText } from './kit.text.ts';

/** A time: absolute, or how far from now with the absolute one on hover. */
export function Time({ at, relative = false }: { at: string | null | undefined; relative?: boolean }) {
  const language = useLanguage();
  const absolute = formatDateTime(at, language);
  const ago = useAgo();
  useTick(relative);
  if (absolute === null || !at) return <>–</>;
  return (
    // The browser's own hint: lists have hundreds, and each of the other kind costs more than the row it stands in.
    <time dateTime={at} title={`${absolute} (${formatOffset(at)})`} style={unbroken}>
      {relative ? ago(at) : absolute}
    </time>
  );
}

/** A range, and the zone that all times are in. */
export function RangeText({ range: { start_time, end_time } }: { range: TimeRange }) {
  const language = useLanguage();
  const t = useText(kitText);
  return (
    <>
      {formatRange(start_time, end_time, language)}
      {t.aside(formatZone(Date.parse(end_time)))}
    </>
  );
}

const unbroken = { whiteSpace: 'nowrap' } as const;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Draws anew every half minute, by one timer for all that watch: what was just now does not stay so. */
function useTick(on: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!on) return undefined;
    watchers.add(redraw);
    timer ??= setInterval(() => watchers.forEach((watch) => watch()), 30_000);
    return () => {
      watchers.delete(redraw);
      if (watchers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [on]);
}

/** How long ago a time was, or how long until it comes; within a minute ahead (clocks differ) it counts as now. */
function useAgo(): (at: string) => string {
  const t = useText(kitText);
  return (at) => {
    const seconds = Math.round((Date.now() - new Date(at).getTime()) / 1000);
    if (seconds <= -86_400) return t.inDays(Math.floor(-seconds / 86_400));
    if (seconds <= -3600) return t.inHours(Math.floor(-seconds / 3600));
    if (seconds <= -60) return t.inMinutes(Math.floor(-seconds / 60));
    if (seconds < 3) return t.justNow;
    if (seconds < 60) return t.secondsAgo(seconds);
    if (seconds < 3600) return t.minutesAgo(Math.floor(seconds / 60));
    if (seconds < 86_400) return t.hoursAgo(Math.floor(seconds / 3600));
    return t.daysAgo(Math.floor(seconds / 86_400));
  };
}

/** Seconds in the two largest units that say something, for lists: “1 d 3 h”, “1 h”, “5 min”. */
export function useDuration(): (seconds: number) => string {
  const t = useText(kitText);
  return (seconds) => {
    const pair = (large: number, largeUnit: string, small: number, smallUnit: string) => {
      const rest = Math.floor((seconds % large) / small);
      return `${Math.floor(seconds / large)} ${largeUnit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`;
    };
    if (seconds >= 86_400) return pair(86_400, t.day, 3600, t.hour);
    if (seconds >= 3600) return pair(3600, t.hour, 60, t.minute);
    if (seconds >= 60) return `${Math.floor(seconds / 60)} ${t.minute}`;
    return `${Math.floor(seconds)} ${t.second}`;
  };
}
