import type { Node } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { useDuration } from '../../kit/time.tsx';
import { nodeText } from './node.text.ts';

/** Reads of live state, in milliseconds: agents report every few seconds. */
export const stateInterval = 5000;

/** `abnormal`: it reported once, and is silent for 20 seconds or without nginx. `unseen`: it never reported. */
const tones: Record<Node['status'], Tone> = { normal: 'success', abnormal: 'error', unseen: 'error' };

/** Whether the node reports; besides, a clock that is off, by which signatures and times of log lines go wrong. */
export function NodeStatus({ node }: { node: Pick<Node, 'status' | 'enabled' | 'state'> }) {
  const t = useText(nodeText);
  const clock = useClockWords();
  if (!node.enabled) return <StatusChip tone="neutral" label={t.disabled} />;
  const ahead = node.state?.clock_ahead_seconds ?? 0;
  return (
    <Stack direction="row" sx={{ gap: 0.75, flexWrap: 'wrap' }}>
      <StatusChip
        tone={tones[node.status]}
        label={t.statuses[node.status]}
        hint={t.statusHints[node.status]}
      />
      {ahead !== 0 && <StatusChip tone="warning" label={clock(ahead)} hint={t.clockHint} />}
    </Stack>
  );
}

/** How far a node's clock is off, in words. */
export function useClockWords(): (aheadSeconds: number) => string {
  const t = useText(nodeText);
  const duration = useDuration();
  return (ahead) => {
    if (ahead === 0) return t.clockRight;
    // An hour less a few milliseconds is an hour.
    const by = duration(Math.round(Math.abs(ahead)));
    return ahead > 0 ? t.clockAhead(by) : t.clockBehind(by);
  };
}
