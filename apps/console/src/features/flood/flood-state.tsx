import type { Flood } from '@breakwater/contract';
import { Stack } from '@mui/material';
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

export function FloodStatus({ flood: { state, silent_since } }: { flood: Flood }) {
  const t = useText(floodText);
  const language = useLanguage();
  const isOpen = state === 'open';
  return (
    <Stack direction="row" sx={{ gap: 0.75, flexWrap: 'wrap' }}>
      <StatusChip tone={isOpen ? 'error' : 'neutral'} label={t.states[state]} busy={isOpen} />
      {silent_since !== null && (
        <StatusChip
          tone="error"
          label={t.silent}
          hint={t.silentSince(formatDateTime(silent_since, language)!)}
        />
      )}
    </Stack>
  );
}
