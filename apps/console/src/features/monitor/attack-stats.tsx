import { rankingMax, type Province } from '@breakwater/contract';
import { Alert, Typography } from '@mui/material';
import { useFigures, useRanking, type Figures } from '../../api/monitor.ts';
import { useText } from '../../i18n/text.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { refusalSearch, useDecisionName, useRefusalName } from '../../domain/decision.ts';
import { alarmTone, FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatCount, formatShare } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { placesText } from '../../domain/places.text.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import {
  Countries,
  pageLink,
  RankedPage,
  RankingGrid,
  RankingOf,
  useRanked,
  type Selection,
} from './analysis.tsx';
import { AttackDetails, attackSearch } from './attack-details.tsx';
import { attackStatsText } from './attack-stats.text.ts';

/** What rules of sites refused: how much, by which rule, of which site, from where, and what belongs together. */
export function AttackStats() {
  const t = useText(attackStatsText);
  const places = useText(placesText);
  const decisionName = useDecisionName();
  const [search, setSearch] = useSearchState(attackSearch);
  const { renew, shared: all, about } = useRanked(search);
  const shared: Selection = { ...all, refused: 'yes' };
  const { range, scope, askedAt } = all;
  const figures = useFigures({ range, scope, series: ['cdn.attacks'], summaries: ['cdn'], askedAt });
  const logs = (part: Record<string, string | number>) => to.refusedLogs({ ...about, ...part });
  return (
    <RankedPage
      title={t.title}
      subtitle={t.subtitle}
      search={search}
      range={all.range}
      onChange={setSearch}
      onRefresh={renew}
    >
      <AttackFigures {...all} about={about} figures={figures} />
      <AttackChart figures={figures} />
      <AttackDetails {...all} about={about} search={search} onChange={setSearch} />
      <RankingGrid>
        <RankingOf
          {...shared}
          name="rankRefusalKinds"
          title={t.kinds}
          nameOf={decisionName}
          link={(decision) => logs({ decision })}
        />
        <RankingOf
          {...shared}
          name="rankRefusals"
          title={t.rules}
          rankName={useRefusalName()}
          link={(name) => logs(refusalSearch(name))}
        />
        <RankingOf {...shared} name="rankSites" title={t.bySite} link={(site_id) => logs({ site_id })} />
        <RankingOf
          {...shared}
          name="rankAddresses"
          title={t.addresses}
          link={(remote_addr) => logs({ remote_addr })}
        />
        <RankingOf
          {...shared}
          name="rankNetworks"
          title={t.networks}
          nameOf={(asn) => `AS${asn}`}
          link={(asn) => logs({ asn })}
        />
        <Countries {...shared} />
        <RankingOf
          {...shared}
          name="rankProvinces"
          title={t.provinces}
          nameOf={(code) => places.provinceNames[code as Province] ?? code}
          link={(province) => logs({ province })}
        />
        <RankingOf {...shared} name="rankUrls" title={t.pages} link={(name) => pageLink(name, logs)} />
        <RankingOf
          {...shared}
          name="rankUserAgents"
          title={t.agents}
          link={(user_agent) => logs({ user_agent })}
        />
        <RankingOf {...shared} name="rankTlsClients" title={t.tlsClients} link={(ja4) => logs({ ja4 })} />
      </RankingGrid>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t.note}
      </Typography>
    </RankedPage>
  );
}

/** How many requests were refused, what share of all that is, and how many sites were concerned. */
function AttackFigures({
  range,
  scope,
  by,
  about,
  askedAt,
  figures,
}: Selection & { about: Record<string, string | number | undefined>; figures: Figures }) {
  const t = useText(attackStatsText);
  const data = figures.summary('cdn');
  const { error } = figures;
  // The same read as the ranking below has: it is asked once. A ranking ends at its length, hence the plus.
  const sites = useRanking('rankSites', 'cdn', range, scope, { by, refused: 'yes', askedAt }).data;
  if (error) return <Alert severity="error">{error.message}</Alert>;
  return (
    <FigureGrid columns={2}>
      <FigureCard
        label={t.refused}
        value={data && formatCount(data.attacks)}
        detail={
          data &&
          (data.requests === 0 ? (
            t.noRequests
          ) : (
            <TextLink target={to.refusedLogs(about)}>
              {t.ofAll(formatShare(data.attacks / data.requests))}
            </TextLink>
          ))
        }
        icon="refused"
        tone={alarmTone(data?.attacks)}
      />
      <FigureCard
        label={t.sites}
        value={sites && `${formatCount(sites.ranks.length)}${sites.ranks.length < rankingMax ? '' : '+'}`}
        icon="site"
        tone="warning"
      />
    </FigureGrid>
  );
}

function AttackChart({ figures }: { figures: Figures }) {
  const t = useText(attackStatsText);
  const points = figures.points('cdn.attacks');
  return (
    <TimeSeriesCard
      title={t.refused}
      series={points && [{ name: t.refused, points, tone: 'error' }]}
      format={formatCount}
    />
  );
}
