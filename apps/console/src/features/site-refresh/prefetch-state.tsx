import type { SitePrefetch, TaskStatus } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { formatCount } from '../../kit/format.ts';
import { Meter } from '../../kit/meter.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { sitePrefetchText } from './site-prefetch.text.ts';

const tones: Record<TaskStatus, Tone> = {
  pending: 'info',
  running: 'info',
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
};

export const isUnderWay = ({ status }: Pick<SitePrefetch, 'status'>): boolean =>
  status === 'pending' || status === 'running';

/** How far it is; once it is through, whether all went well. */
export function PrefetchState({
  prefetch,
}: {
  prefetch: Pick<SitePrefetch, 'status' | 'done' | 'total' | 'failed'>;
}) {
  const t = useText(sitePrefetchText);
  const { status, done, total, failed } = prefetch;
  if (isUnderWay(prefetch))
    return (
      <Box sx={{ width: 160 }}>
        <Meter
          label={t.states[status]}
          // More can be done than was counted, as playlists and sitemaps bring URLs while it runs.
          share={total === 0 ? 0 : Math.min(1, done / total)}
          detail={`${formatCount(done)} / ${formatCount(total)}`}
        />
      </Box>
    );
  if (status === 'done' && failed > 0)
    return failed < total ? (
      <StatusChip tone="warning" label={t.doneWithFailures} />
    ) : (
      <StatusChip tone="error" label={t.states.failed} />
    );
  return <StatusChip tone={tones[status]} label={t.states[status]} />;
}
