import {
  rankingTypes,
  type Carrier,
  type Province,
  type Ranking,
  type RankingType,
} from '@breakwater/contract';
import { Alert, Box, Card } from '@mui/material';
import type { ReactNode } from 'react';
import * as z from 'zod';
import { useRanking, type MonitorScope, type RankingName } from '../../api/monitor.ts';
import type { TimeRange } from '../../api/time-step.ts';
import { kitText } from '../../kit/kit.text.ts';
import { useText } from '../../i18n/text.ts';
import { RankingCard } from '../../kit/charts/ranking.tsx';
import { WorldMapCard } from '../../kit/charts/world-map.tsx';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { refusalSearch, useRefusalName } from '../../domain/decision.ts';
import { formatBytes, formatCount } from '../../kit/format.ts';
import { to, type Target } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { placesText } from '../../domain/places.text.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { roundedNow, timeRange } from '../../kit/time-range.ts';
import { useNow } from '../../kit/use-now.ts';
import { analysisText } from './analysis.text.ts';
import { chosenRange, MonitorFilters, monitorSearch, recordsOf, scopeOf } from './monitor-filters.tsx';

export const rankedSearch = monitorSearch.extend({
  // Rankings count records, which is more work than a chart: they wait to be asked.
  refresh: monitorSearch.shape.refresh.default(0),
  top_type: z.enum(rankingTypes).default('request'),
});

/** What all rankings of a screen have in common. */
export interface Selection {
  range: TimeRange;
  scope: MonitorScope;
  by: RankingType;
  /** When it was asked for. */
  askedAt: number;
  /** Only what rules refused. */
  refused?: 'yes';
}

type RankedSearch = z.output<typeof rankedSearch>;
type ChangeRanked = (patch: Partial<Record<keyof RankedSearch, unknown>>) => void;

/** What the screen is about: `shared` for its rankings, `about` for links to the records behind them. */
export function useRanked(search: RankedSearch) {
  const [now, renew] = useNow(search.refresh * 1000);
  // Rounded, so that the rankings of a screen ask for the same time and one answer does for several.
  const range = timeRange(search.range, roundedNow(now), chosenRange(search));
  const shared: Selection = { range, scope: scopeOf(search), by: search.top_type, askedAt: now };
  return { renew, shared, about: { ...range, ...recordsOf(search) } };
}

interface RankedPageProps {
  title: string;
  subtitle: string;
  search: RankedSearch;
  range: TimeRange;
  onChange: ChangeRanked;
  onRefresh: () => void;
  children: ReactNode;
}

/** A screen of rankings, with their filters. */
export function RankedPage(props: RankedPageProps) {
  const { title, subtitle, search, range, onChange, onRefresh, children } = props;
  return (
    <Page
      title={title}
      subtitle={subtitle}
      actions={<RankedBy value={search.top_type} onChange={(top_type) => onChange({ top_type })} />}
    >
      <Card sx={{ p: 2 }}>
        <MonitorFilters {...{ search, range, onChange, onRefresh }} />
      </Card>
      {children}
    </Page>
  );
}

/** Who and what had the most. Every name leads to its records. */
export function Analysis() {
  const t = useText(analysisText);
  const places = useText(placesText);
  const [search, setSearch] = useSearchState(rankedSearch);
  const { renew, shared, about } = useRanked(search);
  return (
    <RankedPage
      title={t.title}
      subtitle={t.subtitle}
      search={search}
      range={shared.range}
      onChange={setSearch}
      onRefresh={renew}
    >
      <RankingGrid>
        <RankingOf
          {...shared}
          name="rankUrls"
          title={t.urls}
          link={(name) => pageLink(name, (page) => to.accessLogs({ ...about, ...page }))}
        />
        <RankingOf
          {...shared}
          name="rankHosts"
          title={t.hosts}
          link={(host) => to.accessLogs({ ...about, host })}
        />
        <RankingOf
          {...shared}
          name="rankAddresses"
          title={t.addresses}
          link={(remote_addr) => to.accessLogs({ ...about, remote_addr })}
        />
        <RankingOf
          {...shared}
          name="rankReferers"
          title={t.referers}
          link={(http_referer) => to.accessLogs({ ...about, http_referer })}
        />
        <Countries {...shared} />
        <RankingOf
          {...shared}
          name="rankProvinces"
          title={t.provinces}
          nameOf={(code) => places.provinceNames[code as Province] ?? code}
          link={(province) => to.accessLogs({ ...about, province })}
        />
        <RankingOf
          {...shared}
          name="rankCarriers"
          title={t.carriers}
          nameOf={(code) => places.carrierNames[code as Carrier] ?? code}
          link={(carrier) => to.accessLogs({ ...about, carrier })}
        />
        <RankingOf
          {...shared}
          name="rankUserAgents"
          title={t.agents}
          link={(user_agent) => to.accessLogs({ ...about, user_agent })}
        />
        <RankingOf
          {...shared}
          name="rankTlsClients"
          title={t.tlsClients}
          link={(ja4) => to.accessLogs({ ...about, ja4 })}
        />
        <RankingOf
          {...shared}
          name="rankRefusals"
          title={t.refusals}
          rankName={useRefusalName()}
          link={(name) => to.refusedLogs({ ...about, ...refusalSearch(name) })}
        />
      </RankingGrid>
    </RankedPage>
  );
}

/** The records of a page: its name is a host, and a path where there is one. */
export function pageLink(name: string, logs: (part: Record<string, string>) => Target): Target {
  const slash = name.indexOf('/');
  // A ranking of pages names them as `host/path`.
  return slash < 0
    ? logs({ host: name })
    : logs({ host: name.slice(0, slash), request_uri: name.slice(slash) });
}

export function RankingGrid({ columns = 2, children }: { columns?: 2 | 3; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: `repeat(${columns}, minmax(0, 1fr))` },
        // Nothing stands alone beside an empty place.
        ...(columns === 2 ? { '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' } } : {}),
      }}
    >
      {children}
    </Box>
  );
}

interface RankedByProps {
  value: RankingType;
  onChange: (by: RankingType) => void;
}

function RankedBy({ value, onChange }: RankedByProps) {
  const t = useText(analysisText);
  return (
    <ChoiceButtons label={t.by} value={value} values={rankingTypes} names={t.byNames} onChange={onChange} />
  );
}

/** Countries as a map, and as a table. */
export function Countries({ range, scope, by, refused, askedAt }: Selection) {
  const t = useText(analysisText);
  const { colon } = useText(kitText);
  const { data, error } = useRanking('rankCountries', 'cdn', range, scope, { by, refused, askedAt });
  if (error) return <Alert severity="error">{`${t.countries}${colon}${error.message}`}</Alert>;
  return (
    <WorldMapCard
      title={t.countries}
      regions={data?.ranks.map(({ name, requests, flux }) => ({
        code: name,
        value: by === 'flux' ? flux : requests,
      }))}
      format={by === 'flux' ? formatBytes : formatCount}
    />
  );
}

interface RankingOfProps extends Selection {
  name: RankingName;
  title: string;
  /** What a name is called, where that is not the name. */
  nameOf?: (name: string) => string;
  /** The same, of all that a ranking says of it. */
  rankName?: (rank: Ranking['ranks'][number]) => string;
  link?: (name: string) => Target;
}

/** One ranking, read by itself: one that fails or takes long holds up no other. */
export function RankingOf({ name, title, range, scope, by, refused, askedAt, ...shown }: RankingOfProps) {
  const t = useText(analysisText);
  const { colon } = useText(kitText);
  const { data, error } = useRanking(name, 'cdn', range, scope, { by, refused, askedAt });
  if (error) return <Alert severity="error">{`${title}${colon}${error.message}`}</Alert>;
  return (
    <RankingCard
      title={title}
      // The sums are exact, and a name that belongs among these may be missing: there are too many names to count each.
      figure={data?.estimated ? t.estimated : undefined}
      items={data && itemsOf(data, by, shown)}
      total={data && (by === 'flux' ? data.total.flux : data.total.requests)}
      format={by === 'flux' ? formatBytes : formatCount}
    />
  );
}

function itemsOf(
  { ranks }: Ranking,
  by: RankingType,
  { link, nameOf = (name) => name, rankName }: Pick<RankingOfProps, 'link' | 'nameOf' | 'rankName'>,
) {
  return ranks.map((rank) => {
    const { name, label, requests, flux } = rank;
    const shown = rankName?.(rank) ?? label ?? nameOf(name);
    return {
      name: shown,
      value: by === 'flux' ? flux : requests,
      ...(link ? { label: <TextLink target={link(name)}>{shown}</TextLink> } : {}),
    };
  });
}
