import { matcherRuleSection, type MatcherRuleSection } from '@breakwater/contract';
import { Alert } from '@mui/material';
import { useChange } from '../../../../api/change.ts';
import { call } from '../../../../api/client.ts';
import { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { useSite } from '../../context.tsx';
import { SectionForm, useSectionForm, useSectionSave } from '../../section/form.tsx';
import { useLevel } from '../../section/host.tsx';
import { MatchersAbove } from './above.tsx';
import { RuleHits } from './hits.tsx';
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
  return (
    <SectionForm section={form}>
      <MatchersAbove />
      <MatcherTools form={form.form}>{(add) => <Templates onChoose={add} />}</MatcherTools>
      <MatcherRules
        form={form.form}
        beside={(rule, index) => <RuleHits saved={latest.value.rules} rule={rule} index={index} />}
      />
    </SectionForm>
  );
}

function LevelMatchers() {
  const { ref } = useLevel()!;
  const read = useFormRead('getSiteLevelSection', { query: { ...ref, section } });
  return (
    <Loaded read={read}>
      {({ version, value }) => (
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
      <MatcherRules form={form.form} hint={t.levelHint} emptyHint={t.levelEmptyHint} />
    </SectionForm>
  );
}
