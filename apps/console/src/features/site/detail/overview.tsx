import { Stack } from '@mui/material';
import { Suspense, useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { useFigures } from '../../../api/monitor.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { TimeSeriesCard } from '../../../kit/charts/time-series.tsx';
import { Facts, type Fact } from '../../../kit/facts.tsx';
import { FigureCard, FigureGrid } from '../../../kit/figure-card.tsx';
import { formatBitRate, formatBytes, formatCount, formatShare } from '../../../kit/format.ts';
import { lazyOverlay } from '../../../kit/lazy-overlay.ts';
import { to } from '../../../kit/links.ts';
import { Section } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { roundedNow, timeRange } from '../../../kit/time-range.ts';
import { Time } from '../../../kit/time.tsx';
import { useNow } from '../../../kit/use-now.ts';
import { useSite } from '../context.tsx';
import { SiteDns } from '../domain/dns.tsx';
import { BlacklistNotice, FilingNotice, SiteTips, StatusNotice } from './notices.tsx';
import { siteText } from '../site.text.ts';
import { readable } from '../../../kit/readable.tsx';

const DomainsForm = lazyOverlay(() => import('./domains-form.tsx').then((part) => part.DomainsForm));

/** The first tab of a site: what stands in its way, how visitors get to it, and what it served in the last hour. */
export function SiteOverview() {
  const t = useText(siteText).overview;
  const { site } = useSite();
  const [now] = useNow(10_000);
  const figures = useFigures({
    // Rounded to the minute, so that within it the question stays the same; `askedAt` has its answer read again every ten seconds.
    range: timeRange('last_hour', roundedNow(now)),
    scope: { site_id: site.id },
    series: ['cdn.bandwidth'],
    summaries: ['cdn'],
    askedAt: now,
  });
  const summary = figures.summary('cdn');
  const bandwidth = figures.points('cdn.bandwidth');
  return (
    <Stack sx={{ gap: 3 }}>
      <StatusNotice />
      <FilingNotice />
      <BlacklistNotice />
      <SiteTips />
      <SiteDns />
      <FigureGrid columns={3}>
        <FigureCard label={t.requests} value={summary && formatCount(summary.requests)} icon="log" />
        <FigureCard label={t.flux} value={summary && formatBytes(summary.flux)} icon="flux" tone="info" />
        <FigureCard
          label={t.hitRate}
          value={summary && formatShare(summary.flux_hit_rate)}
          icon="hit"
          tone="secondary"
        />
      </FigureGrid>
      <TimeSeriesCard
        title={t.bandwidthLastHour}
        series={bandwidth && [{ name: t.bandwidth, points: bandwidth, tone: 'primary' }]}
        format={formatBitRate}
      />
      <About />
    </Stack>
  );
}

/** What the site consists of, with the form of its domains. */
function About() {
  const t = useText(siteText);
  const { site, denied } = useSite();
  const { role } = useAccount();
  const [editing, setEditing] = useState(false);
  // Customers know neither other customers nor line groups.
  const forAdmins: Fact[] = [
    {
      label: t.client,
      value: <TextLink target={to.clientDetail({ id: site.client_id })}>{site.client_name}</TextLink>,
    },
    {
      label: t.lineGroup,
      value: (
        <TextLink target={to.lineGroupDetail({ id: site.line_group_id })}>{site.line_group_name}</TextLink>
      ),
    },
  ];
  return (
    <Section
      title={t.overview.about}
      actions={
        <ActionButton
          icon="edit"
          size="small"
          variant="outlined"
          color="inherit"
          onClick={() => setEditing(true)}
          disabledReason={denied}
        >
          {t.actions.editDomains}
        </ActionButton>
      }
    >
      <Facts
        facts={[
          {
            label: t.domains,
            value: site.domains.map((domain) => <div key={domain}>{readable(domain)}</div>),
          },
          { label: t.origin, value: site.origins.map((address) => <div key={address}>{address}</div>) },
          ...(role === 'admin' ? forAdmins : []),
          {
            label: t.order,
            value: <TextLink target={to.orderDetail({ id: site.order_id })}>{site.product_name}</TextLink>,
          },
          { label: 'ID', value: site.id },
          { label: t.version, value: site.version },
          { label: t.created, value: <Time at={site.created_at} /> },
          { label: t.updated, value: <Time at={site.updated_at} /> },
        ]}
      />
      {editing && (
        <Suspense>
          <DomainsForm onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </Section>
  );
}
