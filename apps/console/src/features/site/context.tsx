import type { DeliveryStatus, Site } from '@breakwater/contract';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useMay } from '../../api/account.ts';
import type { Data } from '../../api/client.ts';
import { FatalError } from '../../api/fatal-error.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { notify } from '../../kit/toast.ts';
import type { Delivery } from './status.tsx';
import { siteStatusText } from './status.text.ts';
import { siteText } from './site.text.ts';

type Documents = Data<'getSiteDelivery'>['documents'];

interface SiteContextValue {
  site: Site;
  /** Why this account may not change the site. */
  denied: string | undefined;
  /** To be called after every change that was sent to the nodes. */
  onSent: () => void;
}
const SiteContext = createContext<SiteContextValue | null>(null);

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  const kit = useText(kitText);
  const may = useMay();
  const onSent = useSentNotice(site.id);
  const status = useText(siteStatusText);
  const removing = site.removing_since === null ? undefined : status.removingReason;
  const denied = may('updateSiteDomains') ? removing : kit.noPermission;
  const value = useMemo(() => ({ site, denied, onSent }), [site, denied, onSent]);
  return <SiteContext value={value}>{children}</SiteContext>;
}

/** The site that the screen is about, if it is about one. */
export const useSiteIfAny = (): SiteContextValue | null => useContext(SiteContext);

export function useSite(): SiteContextValue {
  const value = useSiteIfAny();
  if (!value) throw new FatalError('a part of the site screen stands outside of it');
  return value;
}

/** What the documents of a site say together: the worst of them. */
export function deliveryOf(documents: Documents): Delivery {
  const nodes = documents.flatMap((document) => document.nodes);
  const ofSite = documents.find((document) => document.kind === 'site')?.nodes ?? [];
  const has = (status: string) => nodes.some((node) => node.status === status);
  const status: DeliveryStatus =
    nodes.length === 0 ? 'none' : has('refused') ? 'refused' : has('pending') ? 'pending' : 'applied';
  return {
    status,
    nodes_applied: ofSite.filter((node) => node.status === 'applied').length,
    nodes_total: ofSite.length,
  };
}

/** Asked every second while nodes have not answered, and now and then after that. */
export function useSiteDelivery(id: number) {
  return useApi(
    'getSiteDelivery',
    { params: { id } },
    {
      refetchInterval: (last) => (last && deliveryOf(last.documents).status === 'pending' ? 1000 : 10_000),
    },
  );
}

/** Tells how a change fares: sent, and once the nodes have answered, what they said. Never green before they did. */
function useSentNotice(id: number): () => void {
  const t = useText(siteText);
  const { data, dataUpdatedAt, refetch } = useSiteDelivery(id);
  const [sentAt, setSentAt] = useState<number | null>(null);
  const toast = `site-${id}`;
  const status = data && deliveryOf(data.documents).status;
  useEffect(() => {
    if (sentAt === null || dataUpdatedAt <= sentAt || status === undefined || status === 'pending') return;
    setSentAt(null);
    if (status === 'applied') notify.settled(toast, t.saved.applied);
    else if (status === 'refused') notify.failed(toast, t.saved.refused);
    else notify.settled(toast, t.saved.none);
  }, [sentAt, dataUpdatedAt, status, toast, t]);
  useEffect(() => () => void notify.dismiss(toast), [toast]);
  return useCallback(() => {
    setSentAt(Date.now());
    notify.waiting(toast, t.saved.sent);
    void refetch();
  }, [refetch, toast, t]);
}
