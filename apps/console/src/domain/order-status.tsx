import type { Order } from '@breakwater/contract';
import { useText } from '../i18n/text.ts';
import { StatusChip, type Tone } from '../kit/status-chip.tsx';
import { orderStatusText } from './order-status.text.ts';

const tones: Record<Order['status'], Tone> = {
  active: 'success',
  expired: 'error',
  suspended: 'warning',
  cancelled: 'neutral',
};

export function OrderStatus({ status }: { status: Order['status'] }) {
  const t = useText(orderStatusText);
  return <StatusChip tone={tones[status]} label={t[status]} />;
}
