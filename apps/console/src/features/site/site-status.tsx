import type { DeliveryStatus, SiteStatus } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { siteText } from './site.text.ts';

const siteTones: Record<SiteStatus, Tone> = { online: 'success', offline: 'neutral', suspended: 'error' };
const deliveryTones: Record<DeliveryStatus, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};

export function SiteStatusChip({ status }: { status: SiteStatus }) {
  const t = useText(siteText);
  return <StatusChip tone={siteTones[status]} label={t.statuses[status]} />;
}

export interface Delivery {
  status: DeliveryStatus;
  nodes_applied: number;
  nodes_total: number;
}

/** Green only when every node has acknowledged. */
export function DeliveryChip({ delivery: { status, nodes_applied, nodes_total } }: { delivery: Delivery }) {
  const t = useText(siteText);
  const count = nodes_total > 0 ? ` ${nodes_applied}/${nodes_total}` : '';
  return (
    <StatusChip
      tone={deliveryTones[status]}
      busy={status === 'pending'}
      label={t.deliveries[status] + count}
      hint={t.deliveryHints[status]}
    />
  );
}
