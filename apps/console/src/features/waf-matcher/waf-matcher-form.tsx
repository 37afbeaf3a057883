import { wafClasses, wafMatcherInput, wafTemplateText, type WafMatcher } from '@breakwater/contract';
import type { MatcherForm } from '../../domain/matcher/form.ts';
import { MatcherRules } from '../../domain/matcher/rules.tsx';
import { MatcherTools } from '../../domain/matcher/tools.tsx';
import { useEntityDrawer } from '../../frame/entity-drawer.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { useFilledFrom } from '../../kit/form/form.tsx';
import { wafMatcherText } from './waf-matcher.text.ts';

/**
 * A template: matcher rules with a name, to be put into sites. It names no address lists, which belong to somebody,
 * while a template is for any site.
 */
export function WafMatcherForm({
  wafMatcher,
  onClose,
}: {
  wafMatcher: WafMatcher | null;
  onClose: () => void;
}) {
  const t = useText(wafMatcherText);
  const names = wafTemplateText[useLanguage()];
  const { form, control, drawer } = useEntityDrawer(wafMatcherInput, {
    get: 'getWafMatcher',
    create: 'createWafMatcher',
    update: 'updateWafMatcher',
    entity: wafMatcher,
    inputOf: (item) => ({
      name: item?.name ?? '',
      description: item?.description ?? '',
      class_type: item?.class_type ?? 'custom',
      rules: item?.rules ?? [],
    }),
    text: t,
    onClose,
  });
  // The parts for rules take any form that has them as its `rules`.
  const rules = form as unknown as MatcherForm;
  useFilledFrom(form, 'description', 'name');
  return (
    <FormDrawer {...drawer}>
      <TextInput control={control} name="name" label={t.name} autoFocus />
      <TextInput control={control} name="description" label={t.description} rows={3} />
      <SelectInput
        control={control}
        name="class_type"
        label={t.classType}
        options={wafClasses.map((value) => ({ value, label: names[value] }))}
      />
      <MatcherTools form={rules} />
      <MatcherRules form={rules} />
    </FormDrawer>
  );
}
