import type { Node } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { nodeText } from './node.text.ts';

/** Reads of live state, in milliseconds: agents report every few seconds. */
export const stateInterval = 5000;

const tones: Record<Node['status'], Tone> = { normal: 'success', abnormal: 'error', unseen: 'neutral' };

export function NodeStatus({ node }: { node: Pick<Node, 'status' | 'enabled'> }) {
  const t = useText(nodeText);
  if (!node.enabled) return <StatusChip tone="neutral" label={t.disabled} />;
  return (
    <StatusChip tone={tones[node.status]} label={t.statuses[node.status]} hint={t.statusHints[node.status]} />
  );
}
