import { ccGuardianRule, guardModes, type CcGuardianRule } from '@breakwater/contract';
import { guardLimits } from '@breakwater/policy/protect/guard-modes';
import { Box, Stack, Typography } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useLanguage } from '../../../../i18n/language.ts';
import { useText } from '../../../../i18n/text.ts';
import { sayLimit } from '../../../../domain/say-rule.ts';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
} from '../../../../kit/fields/inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave, useLevel } from '../../section/host.tsx';
import { EmergencyProtection } from './attack.tsx';
import { GuardSuggestions } from './baseline.tsx';
import { siteGuardText } from './guard.text.ts';
import { GuardRules } from './rules.tsx';
import { GuardHistory, GuardState } from './state.tsx';

export type GuardControl = Control<z.input<typeof ccGuardianRule>, unknown, CcGuardianRule>;

/** Who asks too much, of a site or of all sites of a level; and of a site what it does by itself. */
export function SiteGuard() {
  const config = useInherited('cc_guardian_rule');
  const level = useLevel();
  return (
    <Stack sx={{ gap: 3 }}>
      <Loaded read={config}>{(data) => <GuardForm latest={data} refetch={config.refetch} />}</Loaded>
      {level === null && <GuardState />}
      {level === null && <GuardHistory />}
    </Stack>
  );
}

interface GuardFormProps {
  latest: Data<'getCcGuardianRule'>;
  refetch: ReturnType<typeof useFormRead<'getCcGuardianRule'>>['refetch'];
}

function GuardForm({ latest, refetch }: GuardFormProps) {
  const save = useInheritedSave('cc_guardian_rule');
  const section = useSectionForm(ccGuardianRule, latest, save, refetch, 'cc_guardian_rule');
  const { control } = section.form;
  const mode = useWatch({ control, name: 'mode' }) ?? 'off';
  const level = useLevel();
  return (
    <>
      {/* Outside the form: it saves by itself, and works in every mode. */}
      <EmergencyProtection latest={latest} isDirty={section.isDirty} />
      <SectionForm section={section}>
        <Mode control={control} />
        {mode !== 'off' && <Exceptions control={control} />}
        {(mode === 'normal' || mode === 'strict') && <Escalation control={control} />}
        {mode !== 'off' && level === null && <GuardSuggestions form={section.form} />}
        {mode !== 'off' && <GuardRules control={control} />}
      </SectionForm>
    </>
  );
}

interface PartProps {
  control: GuardControl;
}

/** The mode, and the limits that it stands for: the very table that nodes decide by (`guardLimits` of the policy). */
function Mode({ control }: PartProps) {
  const t = useText(siteGuardText);
  const mode = useWatch({ control, name: 'mode' }) ?? 'off';
  const language = useLanguage();
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <SelectInput
            control={control}
            name="mode"
            label={t.mode}
            hint={t.modeHints[mode]}
            options={guardModes.map((value) => ({ value, label: t.modes[value] }))}
          />
        </Box>
        {mode !== 'off' && (
          <Box>
            <Typography variant="subtitle2">{t.limits}</Typography>
            <Box component="ul" aria-label={t.limits} sx={{ my: 0.5, pl: 3 }}>
              {mode === 'under_attack' && <li>{t.challengesAll}</li>}
              {guardLimits[mode].map((limit) => (
                <Typography component="li" variant="body2" key={limit.name}>
                  {t.limit({ ...sayLimit(limit, language), what: t.whats[limit.name] })}
                </Typography>
              ))}
            </Box>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.acrossNodes}
            </Typography>
          </Box>
        )}
      </Stack>
    </Section>
  );
}

/** Who is neither counted nor challenged. */
function Exceptions({ control }: PartProps) {
  const t = useText(siteGuardText);
  return (
    <Section title={t.exempt}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <TagsInput
            control={control}
            name="except_paths"
            label={t.exceptPaths}
            hint={t.exceptPathsHint}
            placeholder="/api/*"
          />
          <TagsInput
            control={control}
            name="exempt_addresses"
            label={t.addresses}
            hint={t.addressesHint}
            placeholder="192.0.2.0/24"
          />
        </Box>
        <SwitchInput control={control} name="exempt_robots" label={t.robots} />
      </Stack>
    </Section>
  );
}

/**
 * When a site or a URL is taken to be under attack. Unlike the limits of modes and rules, these rates are of each node by itself.
 */
function Escalation({ control }: PartProps) {
  const t = useText(siteGuardText);
  const isOn = useWatch({ control, name: 'escalation' });
  return (
    <Section title={t.escalationTitle} hint={t.escalationHint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="escalation" label={t.escalation} />
        {isOn && (
          <>
            <Box sx={fieldGrid}>
              <NumberInput control={control} name="escalation_requests" label={t.siteRate} />
              <NumberInput control={control} name="escalation_url_requests" label={t.urlRate} />
              <NumberInput
                control={control}
                name="escalation_error_percent"
                label={t.errors}
                hint={t.errorsHint}
              />
              <NumberInput control={control} name="escalation_slow_ms" label={t.slow} />
              <NumberInput
                control={control}
                name="escalation_origin_requests"
                label={t.originRequests}
                hint={t.originRequestsHint}
              />
              <DurationInput control={control} name="quiet_seconds" label={t.quiet} hint={t.quietHint} />
            </Box>
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {t.perNodeRates}
            </Typography>
          </>
        )}
      </Stack>
    </Section>
  );
}
