import { siteViolationRoutes, violationSources } from '@breakwater/contract';
import { Box, Card } from '@mui/material';
import { useAccount } from '../../api/account.ts';
import { siteChoices } from '../../api/options.ts';
import { choices } from '../../frame/filters.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { RankingCard } from '../../kit/charts/ranking.tsx';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { FilterBar } from '../../kit/filter/filter-bar.tsx';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { siteViolationText } from './site-violation.text.ts';

/** Violations by day, category, site and word; the filters stand in the address, as those of the list. */
export function SiteViolationStats() {
  const t = useText(siteViolationText);
  const { role } = useAccount();
  const [search, setSearch] = useSearchState(siteViolationRoutes.getSiteViolationStats.query);
  const stats = useApi('getSiteViolationStats', { query: search }, { keepPrevious: true });
  const parts = (ranks: readonly { name: string; count: number }[]) =>
    ranks.map(({ name, count }) => ({ name, value: count }));
  return (
    <Page
      title={t.statsTitle}
      subtitle={t.statsSubtitle}
      actions={
        <LinkButton target={to.violations()} icon="log" variant="outlined" color="inherit">
          {t.log}
        </LinkButton>
      }
    >
      <Card sx={{ p: 2 }}>
        <FilterBar
          values={search}
          onChange={setSearch}
          fields={[
            { name: { start: 'start_time', end: 'end_time' }, label: t.time, kind: 'range', inBar: true },
            { name: 'site_id', label: t.site, kind: 'remote', choices: siteChoices, inBar: true },
            {
              name: 'source',
              label: t.source,
              kind: 'select',
              options: choices(violationSources, t.sources),
              inBar: true,
            },
          ]}
        />
      </Card>
      <Loaded read={stats}>
        {({ total, blocked, submitted, days, sites, words, categories }) =>
          total === 0 ? (
            <Card>
              <EmptyState
                icon="chart"
                title={t.empty}
                hint={role === 'admin' ? t.emptyHint : t.emptyHintOwn}
              />
            </Card>
          ) : (
            <>
              <FigureGrid columns={3}>
                <FigureCard label={t.total} value={formatCount(total)} icon="log" />
                <FigureCard label={t.blocked} value={formatCount(blocked)} icon="refused" tone="error" />
                <FigureCard label={t.submitted} value={formatCount(submitted)} icon="edit" />
              </FigureGrid>
              <TimeSeriesCard
                title={t.byDay}
                series={[
                  {
                    name: t.total,
                    points: days.map(({ time, count }) => ({ time: localDay(time), value: count })),
                    tone: 'error',
                  },
                ]}
                format={formatCount}
              />
              <Box
                sx={{
                  display: 'grid',
                  gap: { xs: 2, sm: 3 },
                  gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' },
                }}
              >
                <RankingCard
                  title={t.byCategory}
                  items={parts(categories)}
                  total={total}
                  format={formatCount}
                />
                <RankingCard title={t.bySite} items={parts(sites)} total={total} format={formatCount} />
                <RankingCard
                  title={t.byWord}
                  items={parts(words).map((part) => ({
                    ...part,
                    label: (
                      <TextLink target={to.violations({ ...search, word: part.name })}>{part.name}</TextLink>
                    ),
                  }))}
                  total={total}
                  format={formatCount}
                />
              </Box>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** A day of UTC at the reader's midnight, where the axis has its days: else it would be called 08:00 in Shanghai. */
function localDay(time: string): string {
  const day = new Date(time);
  return new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()).toISOString();
}
