import { eventText, type Activity, type ViolationDecision } from '@breakwater/contract';
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Box,
  Button,
  Card,
  Stack,
  Typography,
} from '@mui/material';
import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.ts';
import { kitText } from '../kit/kit.text.ts';
import { useText } from '../i18n/text.ts';
import { activityText } from './activity.text.ts';
import { useDecisionName } from './decision.ts';
import { sectionText } from './section.text.ts';
import { Changes } from './changes.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { formatBitRate, formatCount, formatDateTime } from '../kit/format.ts';
import { Icon } from '../kit/icon.tsx';
import { InfoDrawer } from '../kit/info-drawer.tsx';
import { Loaded, type Read } from '../kit/loaded.tsx';
import type { Target } from '../kit/links.ts';
import { SectionHeading } from '../kit/page.tsx';
import { TextLink } from '../kit/router-link.tsx';
import { Time } from '../kit/time.tsx';
import { readable } from '../kit/readable.tsx';

/** What `useActivity` answers. */
export interface ActivityRead extends Read<{ pages: readonly { list: readonly Activity[] }[] }> {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface ActivityProps {
  read: ActivityRead;
  /** Of many things: each is named, and led to where there is a screen of it. */
  targetOf?: (activity: Activity) => Target | undefined;
}

/** The tab of a detail page: what happened to its object, who did it and when, and what was changed. */
export function ActivityCard(props: ActivityProps) {
  const t = useText(activityText);
  return (
    <Card>
      <Box sx={{ p: 3, pb: 2 }}>
        <SectionHeading title={t.title} hint={t.hint} />
      </Box>
      <ActivityList {...props} />
    </Card>
  );
}

/** The same beside a list. Mount it to open it. */
export function ActivityDrawer({
  name,
  onClose,
  ...props
}: ActivityProps & { name: string; onClose: () => void }) {
  const t = useText(activityText);
  return (
    <InfoDrawer title={t.of(name)} onClose={onClose}>
      <Box sx={{ m: -3 }}>
        <ActivityList {...props} />
      </Box>
    </InfoDrawer>
  );
}

function ActivityList({ read, targetOf }: ActivityProps) {
  const t = useText(activityText);
  return (
    <Loaded read={read}>
      {({ pages }) => {
        const list = pages.flatMap((page) => page.list);
        if (list.length === 0) return <EmptyState icon="clock" title={t.empty} hint={t.emptyHint} />;
        return (
          <>
            {list.map((activity) => (
              <ActivityRow
                key={activity.id}
                activity={activity}
                isNamed={targetOf !== undefined}
                target={targetOf?.(activity)}
              />
            ))}
            {read.hasNextPage && (
              <Box sx={{ p: 2, borderTop: 1, borderColor: 'divider', textAlign: 'center' }}>
                <Button
                  color="inherit"
                  loading={read.isFetchingNextPage}
                  onClick={() => void read.fetchNextPage()}
                >
                  {t.earlier}
                </Button>
              </Box>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface RowProps {
  activity: Activity;
  isNamed: boolean;
  target: Target | undefined;
}

function ActivityRow({ activity, isNamed, target }: RowProps) {
  const t = useText(activityText);
  const { about, changes, more, subject_kind: subject } = activity;
  const summary = <Summary activity={activity} isNamed={isNamed} />;
  // A version and the name of a domain say all in a line; what a node or an authority complained of is read below it.
  const told = about.filter(({ name }) => !isShort(name));
  if (changes.length === 0 && told.length === 0 && more === 0 && target === undefined)
    return <Box sx={{ pl: 3, pr: 5.25, py: 1.5, borderTop: 1, borderColor: 'divider' }}>{summary}</Box>;
  return (
    <Accordion
      disableGutters
      square
      elevation={0}
      slotProps={{ transition: { unmountOnExit: true } }}
      sx={{ borderTop: 1, borderColor: 'divider', '&::before': { display: 'none' } }}
    >
      <AccordionSummary expandIcon={<Icon name="down" size={18} />} sx={{ px: 3 }}>
        {summary}
      </AccordionSummary>
      <AccordionDetails sx={{ px: 3, pb: 3 }}>
        <Stack sx={{ gap: 1 }}>
          {told.length > 0 && (
            <Changes entries={told.map(({ name, value }) => ({ path: name, after: value }))} />
          )}
          {changes.length > 0 && <Changes of={subject} entries={changes} />}
          {more > 0 && <Quiet>{t.more(more)}</Quiet>}
          {target && <TextLink target={target}>{t.open(activity.subject_name)}</TextLink>}
        </Stack>
      </AccordionDetails>
    </Accordion>
  );
}

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** What a value of one of them is called; itself where it has no other name. */
const wordOf = (words: Words, of: string, value: string): string =>
  (Object.hasOwn(words, of) && Object.hasOwn(words[of]!, value) ? words[of]?.[value] : undefined) ?? value;

type ShortFact = keyof (typeof activityText)['zh']['facts'];
const isShort = (name: string): name is ShortFact => Object.hasOwn(activityText.zh.facts, name);

function Summary({ activity, isNamed }: { activity: Activity; isNamed: boolean }) {
  const t = useText(activityText);
  const { aside } = useText(kitText);
  const sections: Readonly<Record<string, string>> = useText(sectionText);
  const language = useLanguage();
  const words = eventText[language];
  const decisionName = useDecisionName();
  const { kind, section, about, changes, actor_type: type, actor_name: name, program, at } = activity;
  // A rule that told of a match is called by its name.
  const rule = kind === 'rule_matched' ? about.find((fact) => fact.name === 'note') : undefined;
  const valueOf = (of: string, value: string) =>
    (of === 'not_after' && formatDateTime(value, language)) ||
    (of === 'decision' && decisionName(value.split('=')[0]!, rule && { name: rule.value })) ||
    (of === 'bits' && formatBitRate(Number(value))) ||
    (of.endsWith('packets') && formatCount(Number(value))) ||
    wordOf(t.values, of, value);
  const facts = about.flatMap((fact) => {
    if (!isShort(fact.name) || fact === rule) return [];
    // What was decided about a page is no decision of a rule.
    if (kind === 'violation_decided' && fact.name === 'decision')
      return `${t.decided} ${t.decisions[fact.value as ViolationDecision] ?? fact.value}`;
    return `${t.facts[fact.name]} ${valueOf(fact.name, fact.value)}`;
  });
  const { subject_kind: subject, subject_name: subjectName } = activity;
  const details = [
    ...(isNamed ? [`${words.subjects[subject]} ${wordOf(t.named, subject, subjectName)}`.trim()] : []),
    ...(kind === 'section_changed' && section !== undefined ? [sections[section] ?? section] : []),
    ...facts,
    // Of what is new everything would be a change.
    ...(changes.length > 0 && kind !== 'created' ? [t.changes(changes.length)] : []),
  ];
  const actor = type === 'system' || name === '' ? words.actors[type] : name;
  return (
    <Stack
      direction="row"
      sx={{
        flex: 1,
        minWidth: 0,
        pr: 1.5,
        columnGap: 2,
        rowGap: 0.5,
        flexWrap: 'wrap',
        alignItems: 'center',
        // What unfolds is a button, whose text begins at the left by itself.
        textAlign: 'start',
      }}
    >
      <Typography component="span" variant="subtitle2">
        {words.kinds[kind]}
      </Typography>
      <Box sx={{ flex: { xs: '1 1 100%', sm: '1 1 140px' }, minWidth: 0 }}>
        <Quiet>{readable(details.join(' · '))}</Quiet>
      </Box>
      <Quiet>
        {actor}
        {program !== '' && aside(t.program(program))}
      </Quiet>
      <Quiet>
        <Time at={at} />
      </Quiet>
    </Stack>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Typography component="span" variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  );
}
