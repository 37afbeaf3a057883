import { Stack } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../../../api/account.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { activityText } from '../../../domain/activity.text.ts';
import { DetailPage } from '../../../kit/detail-page.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { to } from '../../../kit/links.ts';
import { RowActions } from '../../../kit/row-actions.tsx';
import { useIdParam } from '../../../kit/id-param.ts';
import { SiteConditionData } from '../condition-data.tsx';
import { SiteProvider, deliveryOf, useSite, useSiteDelivery } from '../context.tsx';
import { siteName } from '../name.ts';
import { SiteOverview } from './overview.tsx';
import { DeliveryChip, SiteState } from '../status.tsx';
import { useSiteActions } from '../list/actions.tsx';
import { siteText } from '../site.text.ts';

// Every tab but the first is fetched when it is opened: together they are most of the code of the console.
const SiteAccess = lazyPart(() => import('../sections/access/access.tsx').then((part) => part.SiteAccess));
const SiteActivity = lazyPart(() => import('./activity.tsx').then((part) => part.SiteActivity));
const SiteAdvanced = lazyPart(() =>
  import('../sections/advanced/advanced.tsx').then((part) => part.SiteAdvanced),
);
const SiteCache = lazyPart(() => import('../sections/cache/cache.tsx').then((part) => part.SiteCache));
const SiteCertificate = lazyPart(() =>
  import('../sections/https/certificate.tsx').then((part) => part.SiteCertificate),
);
const SiteDelivery = lazyPart(() => import('./delivery.tsx').then((part) => part.SiteDelivery));
const SiteExplain = lazyPart(() => import('../explain/explain.tsx').then((part) => part.SiteExplain));
const SiteGuard = lazyPart(() => import('../sections/guard/guard.tsx').then((part) => part.SiteGuard));
const SiteHealth = lazyPart(() => import('../sections/origin/health.tsx').then((part) => part.SiteHealth));
const SiteLimits = lazyPart(() => import('../sections/limits/limits.tsx').then((part) => part.SiteLimits));
const SiteLogs = lazyPart(() => import('./logs.tsx').then((part) => part.SiteLogs));
const SiteSystemRules = lazyPart(() =>
  import('../sections/system-rules/system-rules.tsx').then((part) => part.SiteSystemRules),
);
const SiteMatchers = lazyPart(() =>
  import('../sections/matcher/matcher.tsx').then((part) => part.SiteMatchers),
);
const SitePosture = lazyPart(() => import('../posture/posture.tsx').then((part) => part.SitePosture));
const SiteVerify = lazyPart(() => import('../sections/verify/verify.tsx').then((part) => part.SiteVerify));
const SiteOrigin = lazyPart(() => import('../sections/origin/origin.tsx').then((part) => part.SiteOrigin));
const SitePorts = lazyPart(() => import('../sections/ports/ports.tsx').then((part) => part.SitePorts));
const SiteRealIp = lazyPart(() => import('../sections/real-ip/real-ip.tsx').then((part) => part.SiteRealIp));
const SiteReferer = lazyPart(() =>
  import('../sections/referer/referer.tsx').then((part) => part.SiteReferer),
);
const SiteRevisions = lazyPart(() => import('../version/revisions.tsx').then((part) => part.SiteRevisions));
const SiteRewrite = lazyPart(() =>
  import('../sections/rewrite/rewrite.tsx').then((part) => part.SiteRewrite),
);
const SiteSpeed = lazyPart(() => import('../sections/speed/speed.tsx').then((part) => part.SiteSpeed));

/**
 * The page of a site. Tabs that show what the reader has no permission to read are left out; forms are shown to
 * whoever may read the site, and say why they cannot be saved.
 */
export function SiteDetail() {
  const t = useText(siteText);
  const activity = useText(activityText);
  const id = useIdParam();
  const may = useMay();
  const site = useApi('getSite', { params: { id } });
  return (
    // By its id: the forms of another site must not stand on what was entered for this one.
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
      // A group begins at the tab that names it, and goes on until another does.
      tabs={() => [
        {
          id: 'overview',
          label: t.tabs.overview,
          words: t.tabWords.overview,
          content: () => <SiteOverview />,
        },
        {
          id: 'origin',
          label: t.tabs.origin,
          words: t.tabWords.origin,
          group: t.tabGroups.origin,
          content: () => <SiteOrigin />,
        },
        { id: 'health', label: t.tabs.health, words: t.tabWords.health, content: () => <SiteHealth /> },
        {
          id: 'cache',
          label: t.tabs.cache,
          words: t.tabWords.cache,
          group: t.tabGroups.speed,
          content: () => <SiteCache />,
        },
        { id: 'speed', label: t.tabs.speed, words: t.tabWords.speed, content: () => <SiteSpeed /> },
        {
          id: 'certificate',
          label: t.tabs.certificate,
          words: t.tabWords.certificate,
          group: t.tabGroups.access,
          content: () => <SiteCertificate />,
        },
        { id: 'ports', label: t.tabs.ports, words: t.tabWords.ports, content: () => <SitePorts /> },
        {
          id: 'access',
          label: t.tabs.accessRules,
          words: t.tabWords.accessRules,
          content: () => <SiteAccess />,
        },
        { id: 'referer', label: t.tabs.referer, words: t.tabWords.referer, content: () => <SiteReferer /> },
        { id: 'limits', label: t.tabs.limits, words: t.tabWords.limits, content: () => <SiteLimits /> },
        { id: 'real-ip', label: t.tabs.realIp, words: t.tabWords.realIp, content: () => <SiteRealIp /> },
        { id: 'rewrite', label: t.tabs.rewrite, words: t.tabWords.rewrite, content: () => <SiteRewrite /> },
        {
          id: 'advanced',
          label: t.tabs.advanced,
          words: t.tabWords.advanced,
          content: () => <SiteAdvanced />,
        },
        ...protectionTabs(t),
        {
          id: 'delivery',
          label: t.tabs.delivery,
          words: t.tabWords.delivery,
          group: t.tabGroups.operation,
          content: () => <SiteDelivery />,
        },
        {
          id: 'revisions',
          label: t.tabs.revisions,
          words: t.tabWords.revisions,
          content: () => <SiteRevisions />,
        },
        ...(may('listActivity')
          ? [{ id: 'activity', label: activity.title, content: () => <SiteActivity /> }]
          : []),
        ...(may('explainSite')
          ? [
              {
                id: 'explain',
                label: t.tabs.explain,
                words: t.tabWords.explain,
                content: () => <SiteExplain />,
              },
            ]
          : []),
        ...(may('listAccessLogs')
          ? [{ id: 'logs', label: t.tabs.logs, words: t.tabWords.logs, content: () => <SiteLogs /> }]
          : []),
      ]}
    />
  );
}

/**
 * The group on protection, apart for its length alone. Its tabs are in the order of `requestSteps`, after the overview of all of it.
 */
const protectionTabs = (t: (typeof siteText)['zh']) => [
  {
    id: 'posture',
    label: t.tabs.posture,
    words: t.tabWords.posture,
    group: t.tabGroups.protection,
    content: () => <SitePosture />,
  },
  {
    id: 'matchers',
    label: t.tabs.matchers,
    words: t.tabWords.matchers,
    content: () => <SiteMatchers />,
  },
  { id: 'guard', label: t.tabs.guard, words: t.tabWords.guard, content: () => <SiteGuard /> },
  {
    id: 'verify',
    label: t.tabs.verify,
    words: t.tabWords.verify,
    content: () => <SiteVerify />,
  },
  {
    id: 'system-rules',
    label: t.tabs.systemRules,
    words: t.tabWords.systemRules,
    content: () => <SiteSystemRules />,
  },
];

function Chips() {
  const { site } = useSite();
  // More recent than `site.delivery`, which is shown until the first answer.
  const delivery = useSiteDelivery(site.id).data;
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <SiteState site={site} />
      <DeliveryChip delivery={delivery ? deliveryOf(delivery.documents) : site.delivery} />
    </Stack>
  );
}

/** What can be done with the site as a whole, as in the list of sites; deleting it leads back there. */
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
