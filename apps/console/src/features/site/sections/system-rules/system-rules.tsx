import {
  largeBodies,
  systemRuleGroups,
  systemRuleModes,
  usedSystemRule,
  type UsedSystemRule,
} from '@breakwater/contract';
import { Box } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { detectorText } from '../../../../domain/detector.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { BytesInput } from '../../../../kit/fields/amount-inputs.tsx';
import { SelectInput } from '../../../../kit/fields/inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { SystemRuleExceptions } from './exceptions.tsx';
import { SystemRuleFields } from './fields.tsx';
import { siteSystemRulesText } from './system-rules.text.ts';

export type SystemRulesControl = Control<z.input<typeof usedSystemRule>, unknown, UsedSystemRule>;

/** The detectors of attacks, of a site or of all sites of a level. */
export function SiteSystemRules() {
  const config = useInherited('used_system_rule');
  return (
    <Loaded read={config}>{(data) => <SystemRulesForm latest={data} refetch={config.refetch} />}</Loaded>
  );
}

interface SystemRulesFormProps {
  latest: Data<'getUsedSystemRule'>;
  refetch: ReturnType<typeof useFormRead<'getUsedSystemRule'>>['refetch'];
}

function SystemRulesForm({ latest, refetch }: SystemRulesFormProps) {
  const save = useInheritedSave('used_system_rule');
  const section = useSectionForm(usedSystemRule, latest, save, refetch, 'used_system_rule');
  const { control } = section.form;
  return (
    <SectionForm section={section}>
      <Modes control={control} />
      <SystemRuleExceptions control={control} />
      <SystemRuleFields control={control} />
    </SectionForm>
  );
}

/**
 * The mode of all groups of detectors, and of single ones that differ. Leaks are looked for in answers, and only
 * where their group says so itself.
 */
function Modes({ control }: { control: SystemRulesControl }) {
  const t = useText(siteSystemRulesText);
  const { groups } = useText(detectorText);
  const mode = useWatch({ control, name: 'mode' }) ?? 'off';
  const options = systemRuleModes.map((value) => ({ value, label: t.modes[value] }));
  return (
    <>
      <Section title={t.title} hint={t.hint}>
        <Box sx={fieldGrid}>
          <SelectInput
            control={control}
            name="mode"
            label={t.mode}
            hint={`${t.modeHints[mode]} · ${t.modeHint}`}
            options={options}
          />
          <BytesInput control={control} name="body_bytes" label={t.body} hint={t.bodyHint} unit="KB" />
          <SelectInput
            control={control}
            name="large_bodies"
            label={t.large}
            hint={t.largeHint}
            options={largeBodies.map((value) => ({ value, label: t.larges[value] }))}
          />
        </Box>
      </Section>
      <Section title={t.groups} hint={t.groupsHint}>
        <Box sx={fieldGrid}>
          {systemRuleGroups.map((group) => (
            <SelectInput
              key={group}
              control={control}
              name={group}
              label={groups[group]}
              noneLabel={group === 'leak' ? t.notSet(t.modes.off) : t.asAbove(t.modes[mode])}
              hint={group === 'leak' ? t.leakHint : undefined}
              options={options}
            />
          ))}
        </Box>
      </Section>
    </>
  );
}
