import type { MatcherRule } from '@breakwater/contract';
import { Card, Chip, Stack, Typography } from '@mui/material';
import { useApi } from '../../../../api/query.ts';
import { useText } from '../../../../i18n/text.ts';
import { SectionHeading } from '../../../../kit/page.tsx';
import { useSite } from '../../context.tsx';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { MatcherSummary } from '../../../../domain/matcher/summary.tsx';

/** What is asked before the rules of the site; nothing where no level says anything. */
export function MatchersAbove() {
  const t = useText(siteMatcherText);
  const { site } = useSite();
  const { data } = useApi('getMatcherRuleAbove', { params: { id: site.id } });
  if (data === undefined || data.levels.length === 0) return null;
  return (
    <Card sx={{ p: 3 }}>
      <SectionHeading title={t.above} hint={t.aboveHint} />
      <Stack component="ol" sx={{ listStyle: 'none', m: 0, mt: 2, p: 0, gap: 1 }}>
        {data.levels.flatMap(({ level, rules }) =>
          // Those that are switched off decide nothing.
          allowedFirst(rules).map(({ rule, index }) => (
            <Stack
              component="li"
              key={`${level} ${index}`}
              direction="row"
              sx={{ gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}
            >
              <Chip size="small" label={t.levels[level]} />
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                {rule.note === '' ? '' : `${rule.note} · `}
                <MatcherSummary rule={rule} />
              </Typography>
            </Stack>
          )),
        )}
      </Stack>
    </Card>
  );
}

/** In the order in which a level's rules are asked. */
function allowedFirst(rules: readonly MatcherRule[]) {
  const on = rules.flatMap((rule, index) => (rule.enabled ? { rule, index } : []));
  return [
    ...on.filter(({ rule }) => rule.action === 'allow'),
    ...on.filter(({ rule }) => rule.action !== 'allow'),
  ];
}
