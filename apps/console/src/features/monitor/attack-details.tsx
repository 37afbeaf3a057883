import { attackOutcomes, campaignKeys, type AttackOutcome, type CampaignKey } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useMemo } from 'react';
import * as z from 'zod';
import { useAttackTrend } from '../../api/monitor.ts';
import { useAttackKindName } from '../../domain/decision.ts';
import { useText } from '../../i18n/text.ts';
import { chartTones } from '../../kit/charts/chart-palette.ts';
import { TimeSeriesCard } from '../../kit/charts/time-series.tsx';
import { ChoiceButtons } from '../../kit/choice-buttons.tsx';
import { formatCount } from '../../kit/format.ts';
import { rankedSearch, type Selection } from './analysis.tsx';
import { AttackCampaigns } from './attack-campaigns.tsx';
import { attackStatsText } from './attack-stats.text.ts';

/**
 * `outcome`: requests that were refused, or only logged. `campaigns_by`: what requests have in common to be taken for one attack.
 */
export const attackSearch = rankedSearch.extend({
  outcome: z.enum(attackOutcomes).default('refused'),
  campaigns_by: z.enum(campaignKeys).default('network'),
});
type AttackSearch = z.output<typeof attackSearch>;

interface AttackDetailsProps extends Selection {
  about: Record<string, string | number | undefined>;
  search: AttackSearch;
  onChange: (patch: Partial<Record<keyof AttackSearch, unknown>>) => void;
}

/** Attack requests by kind over time, and what of them belongs together; of those that were blocked, or only observed. */
export function AttackDetails({ about, search, onChange, ...shared }: AttackDetailsProps) {
  const t = useText(attackStatsText);
  const { outcome, campaigns_by: by } = search;
  return (
    <>
      <ChoiceButtons
        label={t.outcome}
        value={outcome}
        values={attackOutcomes}
        names={t.outcomes}
        onChange={(chosen) => onChange({ outcome: chosen })}
      />
      <AttackTrend {...shared} outcome={outcome} />
      <Stack
        direction="row"
        sx={{ gap: 2, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        <Typography variant="h6" component="h2">
          {t.campaigns}
        </Typography>
        <ChoiceButtons
          label={t.campaignsBy}
          value={by}
          values={campaignKeys}
          names={t.keys}
          onChange={(chosen: CampaignKey) => onChange({ campaigns_by: chosen })}
        />
      </Stack>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: -1.5 }}>
        {t.campaignsHint}
      </Typography>
      <AttackCampaigns {...shared} about={about} by={by} outcome={outcome} />
    </>
  );
}

/** Lines that can be told apart by their colours; the kinds with the fewest requests share one. */
const linesMax = 5;

function AttackTrend({ range, scope, askedAt, outcome }: Selection & { outcome: AttackOutcome }) {
  const t = useText(attackStatsText);
  const kindName = useAttackKindName();
  const { data, error } = useAttackTrend({ range, scope, outcome, askedAt });
  const series = useMemo(() => {
    if (data === undefined) return undefined;
    const { times, kinds } = data;
    const lines = kinds.slice(0, linesMax).map(({ kind, counts }) => ({ name: kindName(kind), counts }));
    const rest = kinds.slice(linesMax);
    if (rest.length > 0)
      lines.push({
        name: t.others,
        counts: times.map((_, step) => rest.reduce((sum, { counts }) => sum + counts[step]!, 0)),
      });
    return lines.map(({ name, counts }, index) => ({
      name,
      tone: chartTones[index % chartTones.length]!,
      points: times.map((time, step) => ({ time, value: counts[step]! })),
    }));
  }, [data, kindName, t]);
  return (
    <TimeSeriesCard
      title={t.trend}
      // One line alone has no legend.
      figure={series?.length === 1 ? series[0]!.name : undefined}
      series={error ? null : series}
      format={formatCount}
    />
  );
}
