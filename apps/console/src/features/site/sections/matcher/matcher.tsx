import { matcherRule, matcherRuleSection, rejectScopes, type MatcherRuleSection } from '@breakwater/contract';
import { Alert } from '@mui/material';
import { useEffect } from 'react';
import * as z from 'zod';
import { useChange } from '../../../../api/change.ts';
import { call } from '../../../../api/client.ts';
import { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { useSearchState } from '../../../../kit/search-state.ts';
import type { MatcherForm } from '../../../../domain/matcher/form.ts';
import { useSite } from '../../context.tsx';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useLevel } from '../../section/host.tsx';
import { MatchersAbove } from './above.tsx';
import { LevelRuleHits, RuleHits } from './hits.tsx';
import { Templates } from './templates.tsx';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { MatcherTools } from '../../../../domain/matcher/tools.tsx';
import { MatcherRules } from '../../../../domain/matcher/rules.tsx';

const section = 'matcher_rule';

/** Rules on requests, of a site or of all sites of a level. */
export function SiteMatchers() {
  return useLevel() === null ? <OwnMatchers /> : <LevelMatchers />;
}

function OwnMatchers() {
  const { site } = useSite();
  const read = useFormRead('getMatcherRule', { params: { id: site.id } });
  return <Loaded read={read}>{(latest) => <OwnForm latest={latest} refetch={read.refetch} />}</Loaded>;
}

/** Not inherited: levels have rules of their own, which are asked before these (docs/matchers.md). */
interface OwnFormProps {
  latest: { version: number; value: MatcherRuleSection };
  refetch: ReturnType<typeof useFormRead<'getMatcherRule'>>['refetch'];
}

function OwnForm({ latest, refetch }: OwnFormProps) {
  const { site } = useSite();
  const save = useSectionSave('updateMatcherRule');
  const form = useSectionForm(
    matcherRuleSection,
    latest,
    (body) => save({ params: { id: site.id }, body }),
    refetch,
    section,
  );
  const t = useText(siteMatcherText);
  const isFilledIn = useFilledIn(form.form);
  return (
    <SectionForm section={form}>
      <MatchersAbove />
      {isFilledIn && <Alert severity="info">{t.filledIn}</Alert>}
      <MatcherTools form={form.form}>{(add) => <Templates onChoose={add} />}</MatcherTools>
      <MatcherRules
        form={form.form}
        beside={(rule, index) => <RuleHits saved={latest.value.rules} rule={rule} index={index} />}
      />
    </SectionForm>
  );
}

/** What a line of the access log fills in. */
const search = z.strictObject({ allow_path: z.string().optional(), allow_method: z.string().optional() });

/** Puts a rule first that lets in what the address names, unless it is there; whether there is one. */
function useFilledIn(form: MatcherForm): boolean {
  const [{ allow_path: path, allow_method: method }] = useSearchState(search);
  const t = useText(siteMatcherText);
  useEffect(() => {
    if (path === undefined || method === undefined) return;
    const rule = matcherRule.parse({
      // As long as the contract takes a note.
      note: t.letThrough(path).slice(0, 200),
      action: 'allow',
      // Past the site's other rules, and not past the rest of protection.
      allow: { scope: 'stage' },
      condition: {
        items: [
          { field: 'path', operator: 'equals', values: [path] },
          { field: 'method', operator: 'equals', values: [method] },
        ],
      },
    });
    const held = form.getValues('rules') ?? [];
    const isThere = held.some(
      (each) => each.action === 'allow' && JSON.stringify(each.condition) === JSON.stringify(rule.condition),
    );
    if (!isThere) form.setValue('rules', [rule, ...held], { shouldDirty: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once: what the reader makes of it afterwards is theirs.
  }, [path, method]);
  return path !== undefined && method !== undefined;
}

function LevelMatchers() {
  const { ref } = useLevel()!;
  const read = useFormRead('getSiteLevelSection', { query: { ...ref, section } });
  return (
    <Loaded read={read}>
      {({ version, value }) => (
        // The call answers any section's value; here it is known which.
        <LevelForm latest={{ version, value: matcherRuleSection.parse(value) }} refetch={read.refetch} />
      )}
    </Loaded>
  );
}

interface LevelFormProps {
  latest: { version: number; value: MatcherRuleSection };
  refetch: ReturnType<typeof useFormRead<'getSiteLevelSection'>>['refetch'];
}

function LevelForm({ latest, refetch }: LevelFormProps) {
  const t = useText(siteMatcherText);
  const level = useLevel()!;
  const { mutateAsync } = useChange('updateSiteLevelSection');
  const form = useSectionForm(
    matcherRuleSection,
    latest,
    async (body) => {
      const query = { ...level.ref, section } as const;
      // The preview asks for no version: it is only looked at.
      const { value } = body;
      if (!(await level.confirm(await call('previewSiteLevelSection', { query, body: { value } })))) return;
      return mutateAsync({ query, body });
    },
    refetch as never,
    section,
  );
  return (
    <SectionForm section={form}>
      <Alert severity="info">{t.order}</Alert>
      <MatcherTools form={form.form}>{(add) => <Templates onChoose={add} />}</MatcherTools>
      <MatcherRules
        form={form.form}
        hint={t.levelHint}
        emptyHint={t.levelEmptyHint}
        // A rule of a level may also ban from all sites of the platform, which no customer's rule may.
        banScopes={rejectScopes}
        beside={(rule, index) => <LevelRuleHits saved={latest.value.rules} rule={rule} index={index} />}
      />
    </SectionForm>
  );
}
