import { cacheRule, cacheRuleSection, type CacheRule, type CacheRuleSection } from '@breakwater/contract';
import { Button, Stack } from '@mui/material';
import { useFieldArray, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { EmptyState } from '../../../../kit/empty-state.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { SwitchInput, TagsInput } from '../../../../kit/fields/inputs.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { CachePreview } from './preview.tsx';
import { CacheRuleRow } from './rule.tsx';
import { siteCacheText } from './cache.text.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave, useLevel } from '../../section/host.tsx';
import { Development } from './development.tsx';

export type CacheControl = Control<z.input<typeof cacheRuleSection>, unknown, CacheRuleSection>;
/** As the contract has it. */
const rulesMax = 100;

/** The tab “Cache”, of a site or of a level: rules on what is stored and for how long, and what holds for all of them. */
export function SiteCache() {
  const rules = useInherited('cache_rule');
  return <Loaded read={rules}>{(data) => <CacheForm latest={data} refetch={rules.refetch} />}</Loaded>;
}

interface CacheFormProps {
  latest: Data<'getCacheRule'>;
  refetch: ReturnType<typeof useFormRead<'getCacheRule'>>['refetch'];
}

/** By extension for a day, which is what most rules are; the contract asks for content, which is still to be entered. */
const newRule: CacheRule = { ...cacheRule.parse({ type: 'all' }), type: 'suffix', ttl_seconds: 86_400 };

function CacheForm({ latest, refetch }: CacheFormProps) {
  const level = useLevel();
  const save = useInheritedSave('cache_rule');
  const section = useSectionForm(cacheRuleSection, latest, save, refetch, 'cache_rule');
  const { control, formState } = section.form;
  return (
    <SectionForm section={section}>
      {/* A level stands for many sites: development is of one of them, while somebody works on it. */}
      {!level && <Development latest={latest} isDirty={formState.isDirty} />}
      <Rules control={control} />
      <CachePreview control={control} />
      <Settings control={control} />
    </SectionForm>
  );
}

/** The first rule that fits a request decides; where none does, the header of the answer says whether it is stored. */
function Rules({ control }: { control: CacheControl }) {
  const t = useText(siteCacheText);
  const { fields, append } = useFieldArray({ control, name: 'rules' });
  return (
    <Section title={t.rules} hint={t.rulesHint}>
      <FieldSourceNote name="rules" />
      {fields.length === 0 ? (
        <EmptyState
          icon="hit"
          title={t.empty}
          hint={t.emptyHint}
          action={
            <Button
              color="inherit"
              variant="outlined"
              startIcon={<Icon name="add" />}
              onClick={() => append(newRule)}
            >
              {t.add}
            </Button>
          }
        />
      ) : (
        <OrderedListInput
          control={control}
          name="rules"
          label={t.rules}
          labelHidden
          addLabel={t.add}
          blank={() => newRule}
          max={rulesMax}
        >
          {(index) => <CacheRuleRow control={control} index={index} />}
        </OrderedListInput>
      )}
    </Section>
  );
}

/** What holds whichever rule decides. */
function Settings({ control }: { control: CacheControl }) {
  const t = useText(siteCacheText);
  return (
    <Section title={t.settings}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="always_online" label={t.online} hint={t.onlineHint} />
        <SwitchInput control={control} name="invalidate_on_change" label={t.onChange} hint={t.onChangeHint} />
        <SwitchInput control={control} name="cache_header" label={t.header} hint={t.headerHint} />
        <SwitchInput
          control={control}
          name="cache_status_header"
          label={t.statusHeader}
          hint={t.statusHeaderHint}
        />
        <TagsInput
          control={control}
          name="languages"
          label={t.languages}
          hint={t.languagesHint}
          placeholder="zh-CN"
        />
      </Stack>
    </Section>
  );
}
