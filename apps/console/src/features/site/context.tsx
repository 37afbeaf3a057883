import type { DeliveryStatus, Site } from '@breakwater/contract';
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { call, type Data } from '../../api/client.ts';
import { FatalError } from '../../api/fatal-error.ts';
import { useApi } from '../../api/query.ts';
import { useUndo, type Undo } from '../../frame/undo.ts';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { notify } from '../../kit/toast.ts';
import type { Delivery } from './status.tsx';
import { siteStatusText } from './status.text.ts';
import { siteText } from './site.text.ts';

/** One for each document that the site has at the edge: its own, and those of its certificates. */
type Documents = Data<'getSiteDelivery'>['documents'];

interface SiteContextValue {
  site: Site;
  /** Why this account may not change the site. */
  denied: string | undefined;
  /** To be called after every change that was sent to the nodes; what takes it back is offered for a while. */
  onSent: (undo?: Undo) => void;
  /** Puts the site back to what it was before the change that made this version. */
  undoOf: (version: number) => Undo;
}
const SiteContext = createContext<SiteContextValue | null>(null);

/** What the tabs of a site's page share: the site as it was read last, and what to do after a change. */
export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  const denial = useDenial();
  const onSent = useSentNotice(site.id);
  const status = useText(siteStatusText);
  const removing = site.removing_since === null ? undefined : status.removingReason;
  // Every change of a site's configuration needs `site.write`; this call stands for all of them.
  const denied = denial('updateSiteDomains') ?? removing;
  const undoOf = useUndoOf(site.id, onSent);
  const value = useMemo(() => ({ site, denied, onSent, undoOf }), [site, denied, onSent, undoOf]);
  return <SiteContext value={value}>{children}</SiteContext>;
}

/** The site that the screen is about, if it is about one. */
export const useSiteIfAny = (): SiteContextValue | null => useContext(SiteContext);

export function useSite(): SiteContextValue {
  const value = useSiteIfAny();
  if (!value) throw new FatalError('a part of the site screen stands outside of it');
  return value;
}

/**
 * What the documents of a site say together: the worst of them. The counts are of its own document, since the
 * others go to the same nodes, which would be counted more than once.
 */
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

/** By the history of the site, which knows what no form can send back: secrets. Later changes are not lost: they refuse it. */
function useUndoOf(id: number, onSent: () => void) {
  const { mutateAsync } = useChange('rollbackSite');
  return useCallback(
    (version: number): Undo =>
      async () => {
        const params = { id };
        // Newest first: the version that is taken back, and the one before it.
        const { list } = await call('listSiteRevisions', { params, query: { page_size: 2 } });
        // Or a newer one than both, if there is one by now: then the server refuses whichever is named (stale version).
        const other = list.find((revision) => revision.version !== version);
        if (!other) throw new FatalError('a version without one before it');
        await mutateAsync({ params, body: { version, revision_id: other.id } });
        onSent();
      },
    [id, mutateAsync, onSent],
  );
}

/** Tells how a change fares: sent, and once the nodes have answered, what they said. Never green before they did. */
function useSentNotice(id: number): (undo?: Undo) => void {
  const t = useText(siteText);
  const offer = useUndo();
  const { data, dataUpdatedAt, refetch } = useSiteDelivery(id);
  const [sentAt, setSentAt] = useState<number | null>(null);
  /** One message per site: a second change replaces the first one's message. */
  const toast = `site-${id}`;
  const status = data && deliveryOf(data.documents).status;
  useEffect(() => {
    // An answer from before the change would report the previous version as deployed.
    if (sentAt === null || dataUpdatedAt <= sentAt || status === undefined || status === 'pending') return;
    setSentAt(null);
    if (status === 'applied') notify.settled(toast, t.saved.applied);
    else if (status === 'refused') notify.failed(toast, t.saved.refused);
    else notify.settled(toast, t.saved.none);
  }, [sentAt, dataUpdatedAt, status, toast, t]);
  // The message waits for the nodes; nothing would end it once the page is left.
  useEffect(() => () => notify.dismiss(toast), [toast]);
  return useCallback(
    (undo?: Undo) => {
      setSentAt(Date.now());
      notify.waiting(toast, t.saved.sent, undo && offer(undo));
      void refetch();
    },
    [refetch, toast, t, offer],
  );
}
