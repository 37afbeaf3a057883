import type { Site } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { RowActions } from '../../kit/row-actions.tsx';
import { useIdParam } from '../../kit/search-state.ts';
import { UrlTabs } from '../../kit/url-tabs.tsx';
import { SiteCache } from './site-cache.tsx';
import { SiteCertificate } from './site-certificate.tsx';
import { SiteContext, deliveryOf, useSentNotice, useSiteDelivery } from './site-context.tsx';
import { SiteDelivery } from './site-delivery.tsx';
import { siteName } from './site-list.tsx';
import { SiteLogs } from './site-logs.tsx';
import { SiteOrigin } from './site-origin.tsx';
import { SiteOverview } from './site-overview.tsx';
import { SiteRevisions } from './site-revisions.tsx';
import { DeliveryChip, SiteStatusChip } from './site-status.tsx';
import { useSiteActions } from './site-actions.tsx';
import { siteText } from './site.text.ts';

export function SiteDetail() {
  const id = useIdParam();
  const site = useApi('getSite', { params: { id } });
  return <Loaded read={site}>{(data) => <SitePage key={id} site={data} />}</Loaded>;
}

function SitePage({ site }: { site: Site }) {
  const t = useText(siteText);
  const kit = useText(kitText);
  const may = useMay();
  const navigate = useNavigate();
  const delivery = useSiteDelivery(site.id).data;
  const onSent = useSentNotice(site.id);
  const { actionsFor, dialog } = useSiteActions({ onSent, onRemoved: () => void navigate(to.sites()) });
  const denied = may('updateSiteDomains') ? undefined : kit.noPermission;
  const context = useMemo(() => ({ site, denied, onSent }), [site, denied, onSent]);
  return (
    <SiteContext value={context}>
      <Page
        title={siteName(site)}
        subtitle={
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            <SiteStatusChip status={site.status} />
            <DeliveryChip delivery={delivery ? deliveryOf(delivery.documents) : site.delivery} />
          </Stack>
        }
        back={{ target: to.sites(), label: t.title }}
        actions={<RowActions name={siteName(site)} actions={actionsFor(site)} />}
      >
        <UrlTabs
          label={t.title}
          tabs={[
            { id: 'overview', label: t.tabs.overview, content: () => <SiteOverview /> },
            { id: 'origin', label: t.tabs.origin, content: () => <SiteOrigin /> },
            { id: 'cache', label: t.tabs.cache, content: () => <SiteCache /> },
            { id: 'certificate', label: t.tabs.certificate, content: () => <SiteCertificate /> },
            { id: 'delivery', label: t.tabs.delivery, content: () => <SiteDelivery /> },
            { id: 'revisions', label: t.tabs.revisions, content: () => <SiteRevisions /> },
            { id: 'logs', label: t.tabs.logs, content: () => <SiteLogs /> },
          ]}
        />
        {dialog}
      </Page>
    </SiteContext>
  );
}
