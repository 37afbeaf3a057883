import {
  listsOfRule,
  ruleOfDecision,
  type AccessRule,
  type MatcherRule,
  type ReplayAnswer,
  type RuleRef,
} from '@breakwater/contract';
import {
  Alert,
  AlertTitle,
  Box,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useMemo } from 'react';
import { useText } from '../../../i18n/text.ts';
import { useChosen } from '../../../kit/fields/choices.ts';
import { useListChoices } from '../condition-data.tsx';
import { useLevel } from '../section/host.tsx';
import type { ReplayDraft } from './use-replay.ts';
import { useDecisionName } from '../../../domain/decision.ts';
import { TimeSeriesCard } from '../../../kit/charts/time-series.tsx';
import { Facts } from '../../../kit/facts.tsx';
import { formatCount, formatShare } from '../../../kit/format.ts';
import { ReplayBy } from './replay-by.tsx';
import { ReplaySamples } from './replay-samples.tsx';
import { siteReplayText } from './replay.text.ts';

interface Part {
  answer: ReplayAnswer;
}

/** What a draft would have done. Warnings come first: legitimate visitors who would be stopped matter more than any sum. */
export function ReplayResult({ answer, draft }: Part & { draft: ReplayDraft }) {
  const t = useText(siteReplayText);
  if (answer.read === 0) return <Alert severity="info">{t.nothing}</Alert>;
  const hasChallenge = answer.outcomes.some((each) => each.outcome === 'challenge' && each.draft > 0);
  return (
    <Stack sx={{ gap: 3 }}>
      <Reading answer={answer} />
      <Good answer={answer} />
      <Facts
        columns={3}
        facts={[
          { label: t.newly, value: formatCount(answer.newly) },
          { label: t.freed, value: formatCount(answer.freed) },
          { label: t.stopped, value: formatCount(answer.stopped) },
        ]}
      />
      {hasChallenge && <Alert severity="info">{t.challengeNote}</Alert>}
      <TimeSeriesCard title={t.byTitle} series={seriesOf(answer, t)} format={formatCount} height={200} />
      <Outcomes answer={answer} />
      <Changes answer={answer} />
      <Unknown answer={answer} />
      <Rules answer={answer} draft={draft} />
      <ReplayBy answer={answer} />
      <ReplaySamples answer={answer} />
    </Stack>
  );
}

const seriesOf = ({ series }: ReplayAnswer, t: { newly: string; freed: string }) => [
  {
    name: t.newly,
    tone: 'error' as const,
    points: series.map(({ time, newly }) => ({ time, value: newly })),
  },
  {
    name: t.freed,
    tone: 'success' as const,
    points: series.map(({ time, freed }) => ({ time, value: freed })),
  },
];

/** How much of the traffic it is. */
function Reading({ answer: { read, total, sample_rate: rate, sites, sites_total: all } }: Part) {
  const t = useText(siteReplayText);
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      {read < total
        ? t.sampled(formatCount(read), formatCount(total), formatShare(read / total))
        : t.read(formatCount(read))}
      {rate > 1 && ` ${t.logged(rate)}`}
      {sites < all && ` ${t.sites(sites, all)}`}
    </Typography>
  );
}

/** Visitors who seem legitimate and would be newly stopped; nothing where there are none. */
function Good({ answer: { good } }: Part) {
  const t = useText(siteReplayText);
  const { verified_robots: robots, allowed, clean_visitors: visitors, clean_requests: requests } = good;
  const lines = [
    ...(robots > 0 ? [t.goodRobots(formatCount(robots))] : []),
    ...(allowed > 0 ? [t.goodAllowed(formatCount(allowed))] : []),
    ...(visitors > 0 ? [t.goodClean(formatCount(visitors), formatCount(requests))] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Alert severity="warning">
      <AlertTitle>{t.goodTitle}</AlertTitle>
      <Lines lines={lines} />
    </Alert>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <Box component="ul" sx={{ m: 0, paddingInlineStart: 2.5 }}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </Box>
);

function Outcomes({ answer: { outcomes } }: Part) {
  const t = useText(siteReplayText);
  return (
    <Table size="small" aria-label={t.outcome}>
      <TableHead>
        <TableRow>
          <TableCell>{t.outcome}</TableCell>
          <TableCell align="right">{t.today}</TableCell>
          <TableCell align="right">{t.draft}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {outcomes.map(({ outcome, today, draft }) => (
          <TableRow key={outcome}>
            <TableCell component="th" scope="row">
              {t.outcomes[outcome]}
            </TableCell>
            <TableCell align="right">{formatCount(today)}</TableCell>
            <TableCell align="right">{formatCount(draft)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Changes({ answer: { changes } }: Part) {
  const t = useText(siteReplayText);
  if (changes.length === 0) return <Alert severity="success">{t.noChanges}</Alert>;
  const rows = changes.map(({ from, to, requests }) => ({
    name: t.change(t.outcomes[from], t.outcomes[to]),
    requests,
  }));
  return <Counts title={t.changes} rows={rows} />;
}

function Rules({ answer: { rules }, draft }: Part & { draft: ReplayDraft }) {
  const t = useText(siteReplayText);
  const nameOf = useDecisionName();
  const level = useLevel()?.ref.level ?? 'site';
  const drafted = useMemo(
    () => new Map(rules.flatMap(({ rule }) => ruleOfDraft(rule, draft, level))),
    [rules, draft, level],
  );
  const ids = useMemo(() => [...new Set([...drafted.values()].flatMap(listsOfRule))], [drafted]);
  const named = useChosen(useListChoices(), ids).map(({ value: id, label: name }) => ({ id, name }));
  const refOf = (decision: string) => {
    const rule = drafted.get(decision);
    return (
      rule && {
        name: rule.note,
        section: draft.section as RuleRef['section'],
        outline: { rule, lists: named },
      }
    );
  };
  if (rules.length === 0) return null;
  // Those that decided most often come first.
  const rows = rules.slice(0, 20).map(({ rule, outcome, requests }) => ({
    name: `${nameOf(rule, refOf(rule))} · ${t.outcomes[outcome]}`,
    requests,
  }));
  return <Counts title={t.rules} rows={rows} />;
}

/** A rule of the draft by the decision that names it; nothing of rules above it, of which only the places are known here. */
function ruleOfDraft(decision: string, { section, value }: ReplayDraft, level: RuleRef['level']) {
  const found = ruleOfDecision(decision);
  if (found === undefined || found.section !== section || found.level !== level) return [];
  const { rules = [] } = value as { rules?: (AccessRule | MatcherRule)[] };
  const rule = rules[found.place];
  if (rule === undefined) return [];
  return [[decision, { ...rule }] as const];
}

function Counts({ title, rows }: { title: string; rows: readonly { name: string; requests: number }[] }) {
  const t = useText(siteReplayText);
  return (
    <Table size="small" aria-label={title}>
      <TableHead>
        <TableRow>
          <TableCell>{title}</TableCell>
          <TableCell align="right">{t.requests}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {rows.map(({ name, requests }) => (
          <TableRow key={name}>
            <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
              {name}
            </TableCell>
            <TableCell align="right">{formatCount(requests)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** Parts of requests that the rules ask for and no log line holds (docs/replay.md). */
function Unknown({ answer: { unknown } }: Part) {
  const t = useText(siteReplayText);
  if (unknown.length === 0) return null;
  return (
    <Alert severity="info">
      <AlertTitle>{t.unknownTitle}</AlertTitle>
      <Lines
        lines={unknown.map(({ part, requests }) => t.part(t.parts[part] ?? part, formatCount(requests)))}
      />
    </Alert>
  );
}
