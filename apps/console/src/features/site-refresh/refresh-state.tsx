import type { DeliveryStatus, SiteRefresh } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { siteRefreshText } from './site-refresh.text.ts';

const tones: Record<DeliveryStatus, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};

/** How many nodes have done it. One that has serves nothing of what it stored before. */
export function RefreshState({ delivery }: Pick<SiteRefresh, 'delivery'>) {
  const t = useText(siteRefreshText);
  const { status, nodes_applied: applied, nodes_total: total } = delivery;
  return (
    <StatusChip
      tone={tones[status]}
      busy={status === 'pending'}
      label={total > 0 ? `${t.states[status]} ${applied}/${total}` : t.states[status]}
      hint={t.hints[status]}
    />
  );
}
