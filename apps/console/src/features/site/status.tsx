import type { DeliveryStatus, Site, SiteStatus } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { siteStatusText } from './status.text.ts';
import { siteText } from './site.text.ts';

const siteTones: Record<SiteStatus, Tone> = {
  online: 'success',
  offline: 'neutral',
  checking: 'info',
  check_failed: 'warning',
  suspended: 'error',
};
const deliveryTones: Record<DeliveryStatus, Tone> = {
  none: 'neutral',
  pending: 'info',
  applied: 'success',
  refused: 'error',
};

/** The status alone, as rows have it that are about something else than the site, such as a domain. */
export function SiteStatusChip({ status }: { status: SiteStatus }) {
  const t = useText(siteText);
  return <StatusChip tone={siteTones[status]} label={t.statuses[status]} busy={status === 'checking'} />;
}

/** The status of a site, with what stands behind it on hover; one that is being deleted says that instead. */
export function SiteState({ site }: { site: Site }) {
  const t = useText(siteText);
  const hint = useSiteHint(site);
  if (site.removing_since !== null) return <StatusChip tone="warning" label={t.removing} hint={hint} busy />;
  const { status } = site;
  return (
    <StatusChip
      tone={siteTones[status]}
      label={t.statuses[status]}
      hint={hint}
      busy={status === 'checking'}
    />
  );
}

/** What a site's state means for who looks at it, and what to do about it; nothing where all is well. */
export function useSiteHint(site: Site): string | undefined {
  const t = useText(siteStatusText);
  if (site.removing_since !== null) return t.removing;
  // `domains_waiting` includes the contested domains, which have a sentence of their own.
  const { domains_waiting: waiting, domains_contested: contested } = site;
  const beside = contested > 0 ? t.contested(contested) : undefined;
  switch (site.status) {
    case 'online': {
      const others = waiting > contested ? t.someWaiting(waiting - contested) : undefined;
      return [beside, others].filter((text) => text !== undefined).join(' ') || undefined;
    }
    case 'offline':
      return t.offline;
    case 'checking':
      return beside ?? t.checking;
    case 'check_failed':
      return beside ?? t.checkFailed;
    case 'suspended':
      return site.status_reason === 'none' ? undefined : t.reasons[site.status_reason];
  }
}

/** As lists answer it (`siteDelivery` of the contract), or worked out of the documents of one site (`deliveryOf`). */
export interface Delivery {
  status: DeliveryStatus;
  nodes_applied: number;
  /** Enabled nodes of its line group. 0 where it has none: then nothing can be deployed. */
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
