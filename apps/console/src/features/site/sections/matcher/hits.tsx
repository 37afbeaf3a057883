import type { MatcherRule } from '@breakwater/contract';
import { identityText } from '@breakwater/policy/protect/matchers';
import { Typography } from '@mui/material';
import type { Data } from '../../../../api/client.ts';
import { useApi } from '../../../../api/query.ts';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { formatCount } from '../../../../kit/format.ts';
import { TextLink } from '../../../../kit/router-link.tsx';
import { to } from '../../../../kit/links.ts';
import { useSite } from '../../context.tsx';
import { useLevel } from '../../section/host.tsx';

interface RuleHitsProps {
  /** As they are saved: what is counted. */
  saved: readonly MatcherRule[];
  rule: MatcherRule;
  index: number;
}

/** How many requests a rule met, with the log of them. */
export function RuleHits(props: RuleHitsProps) {
  const { site } = useSite();
  const { data } = useApi('getMatcherRuleHits', { params: { id: site.id } });
  // The log names a site's rule by its number from 1, and a level's with the level before it.
  const logOf = (number: number) => to.accessLogs({ site_id: site.id, waf: `matcher_rule ${number}` });
  return <Hits {...props} hits={data?.list} logOf={logOf} />;
}

/** The same of a level's rule, at all sites that it is for. */
export function LevelRuleHits(props: RuleHitsProps) {
  const { ref } = useLevel()!;
  const { data } = useApi('getSiteLevelRuleHits', { query: ref });
  const logOf = (number: number) =>
    to.accessLogs({
      ...(ref.level === 'client' ? { client_id: ref.target_id } : {}),
      waf: `matcher_rule ${ref.level} ${number}`,
    });
  return <Hits {...props} hits={data?.list} logOf={logOf} />;
}

interface HitsProps extends RuleHitsProps {
  hits: Data<'getMatcherRuleHits'>['list'] | undefined;
  logOf: (number: number) => ReturnType<typeof to.accessLogs>;
}

/** Nothing of one that is not saved yet, and nothing while nobody can count. */
function Hits({ saved, rule, index, hits, logOf }: HitsProps) {
  const t = useText(siteMatcherText);
  const place = savedPlace(saved, rule, index);
  if (hits === undefined || place < 0) return null;
  const { day, week } = hits.find((each) => each.place === place) ?? { day: 0, week: 0 };
  const said = t.hits(formatCount(day), formatCount(week));
  return (
    <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
      {week === 0 ? said : <TextLink target={logOf(place + 1)}>{said}</TextLink>}
    </Typography>
  );
}

/** Where a rule of the form stands among those that are saved; -1: nowhere. */
function savedPlace(saved: readonly MatcherRule[], rule: MatcherRule, index: number): number {
  const text = identityText(rule);
  const isSame = (each: MatcherRule | undefined) => each !== undefined && identityText(each) === text;
  return isSame(saved[index]) ? index : saved.findIndex(isSame);
}
