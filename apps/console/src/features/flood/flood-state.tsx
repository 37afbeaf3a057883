import type { Flood } from '@breakwater/contract';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { formatDateTime } from '../../kit/format.ts';
import { StatusChip } from '../../kit/status-chip.tsx';
import { floodText } from './flood.text.ts';

/** How often what goes on is read again, in milliseconds: nodes report every few seconds. */
export const floodInterval = 5000;

/** How long there was as much as an attack has, in seconds. */
export const lasted = ({ started_at, seen_at }: Flood): number =>
  (Date.parse(seen_at) - Date.parse(started_at)) / 1000;

/** One that goes on while its node is silent says why nothing more is known. */
export function FloodStatus({ flood: { state, silent_since } }: { flood: Flood }) {
  const t = useText(floodText);
  const language = useLanguage();
  // The server says when it is over, after some minutes of calm.
  if (state === 'over') return <StatusChip tone="neutral" label={t.states.over} />;
  if (silent_since === null) return <StatusChip tone="error" label={t.states.open} busy />;
  const since = formatDateTime(silent_since, language)!;
  return <StatusChip tone="error" label={t.openSilent} hint={t.silentSince(since)} />;
}
