import type { MatcherRule } from '@breakwater/contract';
import { identityText } from '@breakwater/policy/protect/matchers';
import { Typography } from '@mui/material';
import { useApi } from '../../../../api/query.ts';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { formatCount } from '../../../../kit/format.ts';
import { TextLink } from '../../../../kit/router-link.tsx';
import { to } from '../../../../kit/links.ts';
import { useSite } from '../../context.tsx';

interface RuleHitsProps {
  /** As they are saved: what is counted. */
  saved: readonly MatcherRule[];
  rule: MatcherRule;
  index: number;
}

/** How many requests a rule met, with the log of them. Nothing of one that is not saved yet, and nothing while nobody can count. */
export function RuleHits({ saved, rule, index }: RuleHitsProps) {
  const t = useText(siteMatcherText);
  const { site } = useSite();
  const { data } = useApi('getMatcherRuleHits', { params: { id: site.id } });
  const place = savedPlace(saved, rule, index);
  if (data === undefined || place < 0) return null;
  const { day, week } = data.list.find((each) => each.place === place) ?? { day: 0, week: 0 };
  const said = t.hits(formatCount(day), formatCount(week));
  return (
    <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
      {week === 0 ? (
        said
      ) : (
        <TextLink target={to.accessLogs({ site_id: site.id, waf: `matcher_rule ${place + 1}` })}>
          {said}
        </TextLink>
      )}
    </Typography>
  );
}

/** Where a rule of the form stands among those that are saved; -1: nowhere. */
function savedPlace(saved: readonly MatcherRule[], rule: MatcherRule, index: number): number {
  const text = identityText(rule);
  const isSame = (each: MatcherRule | undefined) => each !== undefined && identityText(each) === text;
  return isSame(saved[index]) ? index : saved.findIndex(isSame);
}
