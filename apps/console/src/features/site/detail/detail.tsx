import { Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../../api/account.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { activityText } from '../../../domain/activity.text.ts';
import { DetailPage } from '../../../kit/detail-page.tsx';
import { to } from '../../../kit/links.ts';
import { RowActions } from '../../../kit/row-actions.tsx';
import { useIdParam } from '../../../kit/search-state.ts';
import { SiteConditionData } from '../condition-data.tsx';
import { SiteAccess } from '../sections/access/access.tsx';
import { SiteActivity } from './activity.tsx';
import { SiteAdvanced } from '../sections/advanced/advanced.tsx';
import { SiteCache } from '../sections/cache/cache.tsx';
import { SiteCertificate } from '../sections/https/certificate.tsx';
import { SiteProvider, deliveryOf, useSite, useSiteDelivery } from '../context.tsx';
import { SiteDelivery } from './delivery.tsx';
import { SiteExplain } from '../explain/explain.tsx';
import { SiteHealth } from '../sections/origin/health.tsx';
import { siteName } from '../list/list.tsx';
import { SiteLimits } from '../sections/limits/limits.tsx';
import { SiteLogs } from './logs.tsx';
import { SiteOrigin } from '../sections/origin/origin.tsx';
import { SiteOverview } from './overview.tsx';
import { SitePorts } from '../sections/ports/ports.tsx';
import { SiteRealIp } from '../sections/real-ip/real-ip.tsx';
import { SiteReferer } from '../sections/referer/referer.tsx';
import { SiteRevisions } from '../version/revisions.tsx';
import { SiteRewrite } from '../sections/rewrite/rewrite.tsx';
import { SiteSpeed } from '../sections/speed/speed.tsx';
import { DeliveryChip, SiteState } from '../status.tsx';
import { useSiteActions } from '../list/actions.tsx';
import { siteText } from '../site.text.ts';

export function SiteDetail() {
  const t = useText(siteText);
  const activity = useText(activityText);
  const id = useIdParam();
  const may = useMay();
  const site = useApi('getSite', { params: { id } });
  return (
    <DetailPage
      key={id}
      read={site}
      label={t.title}
      back={{ target: to.sites(), label: t.title }}
      title={siteName}
      subtitle={() => <Chips />}
      actions={() => <Actions />}
      around={(data, page) => (
        <SiteProvider site={data}>
          <SiteConditionData>{page}</SiteConditionData>
        </SiteProvider>
      )}
      tabs={() => [
        { id: 'overview', label: t.tabs.overview, content: () => <SiteOverview /> },
        { id: 'origin', label: t.tabs.origin, group: t.tabGroups.origin, content: () => <SiteOrigin /> },
        { id: 'health', label: t.tabs.health, content: () => <SiteHealth /> },
        { id: 'cache', label: t.tabs.cache, group: t.tabGroups.speed, content: () => <SiteCache /> },
        { id: 'speed', label: t.tabs.speed, content: () => <SiteSpeed /> },
        {
          id: 'certificate',
          label: t.tabs.certificate,
          group: t.tabGroups.access,
          content: () => <SiteCertificate />,
        },
        { id: 'ports', label: t.tabs.ports, content: () => <SitePorts /> },
        { id: 'access', label: t.tabs.accessRules, content: () => <SiteAccess /> },
        { id: 'referer', label: t.tabs.referer, content: () => <SiteReferer /> },
        { id: 'limits', label: t.tabs.limits, content: () => <SiteLimits /> },
        { id: 'real-ip', label: t.tabs.realIp, content: () => <SiteRealIp /> },
        { id: 'rewrite', label: t.tabs.rewrite, content: () => <SiteRewrite /> },
        { id: 'advanced', label: t.tabs.advanced, content: () => <SiteAdvanced /> },
        {
          id: 'delivery',
          label: t.tabs.delivery,
          group: t.tabGroups.operation,
          content: () => <SiteDelivery />,
        },
        { id: 'revisions', label: t.tabs.revisions, content: () => <SiteRevisions /> },
        ...(may('listActivity')
          ? [{ id: 'activity', label: activity.title, content: () => <SiteActivity /> }]
          : []),
        ...(may('explainSite')
          ? [{ id: 'explain', label: t.tabs.explain, content: () => <SiteExplain /> }]
          : []),
        ...(may('listAccessLogs') ? [{ id: 'logs', label: t.tabs.logs, content: () => <SiteLogs /> }] : []),
      ]}
    />
  );
}

function Chips() {
  const { site } = useSite();
  const delivery = useSiteDelivery(site.id).data;
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <SiteState site={site} />
      <DeliveryChip delivery={delivery ? deliveryOf(delivery.documents) : site.delivery} />
    </Stack>
  );
}

function Actions() {
  const { site, onSent } = useSite();
  const navigate = useNavigate();
  const { actionsFor, dialog } = useSiteActions({ onSent, leave: () => navigate(to.sites()) });
  return (
    <>
      <RowActions name={siteName(site)} actions={() => actionsFor(site)} />
      {dialog}
    </>
  );
}
