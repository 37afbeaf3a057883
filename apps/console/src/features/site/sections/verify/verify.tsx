import {
  browserVerifyRule,
  externalFallbacks,
  verifyKinds,
  verifyStatuses,
  type BrowserVerifyRule,
} from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { useText } from '../../../../i18n/text.ts';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../../../kit/fields/remote-select.tsx';
import { RemoteMultiSelect } from '../../../../kit/fields/remote-multi-select.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useCaptchaChoices, useListChoices } from '../../condition-data.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { VerifyPreview } from './preview.tsx';
import { siteVerifyText } from './verify.text.ts';

export type VerifyControl = Control<z.input<typeof browserVerifyRule>, unknown, BrowserVerifyRule>;

/**
 * The tab “Browser verification”, of a site or of a level: whose browsers have to solve a task before they are let through.
 */
export function SiteVerify() {
  const config = useInherited('browser_verify_rule');
  return <Loaded read={config}>{(data) => <VerifyForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface VerifyFormProps {
  latest: Data<'getBrowserVerifyRule'>;
  refetch: ReturnType<typeof useFormRead<'getBrowserVerifyRule'>>['refetch'];
}

function VerifyForm({ latest, refetch }: VerifyFormProps) {
  const t = useText(siteVerifyText);
  const save = useInheritedSave('browser_verify_rule');
  const section = useSectionForm(browserVerifyRule, latest, save, refetch, 'browser_verify_rule');
  const { control } = section.form;
  const isOn = useWatch({ control, name: 'enabled' });
  return (
    <SectionForm section={section}>
      <Section title={t.title} hint={t.hint}>
        <Stack sx={{ gap: 2 }}>
          <SwitchInput control={control} name="enabled" label={t.enabled} />
          {isOn && <Kind control={control} />}
        </Stack>
      </Section>
      {isOn && <Scope control={control} />}
      {isOn && <Passes control={control} />}
      {isOn && <Page control={control} />}
    </SectionForm>
  );
}

interface PartProps {
  control: VerifyControl;
}

function Kind({ control }: PartProps) {
  const t = useText(siteVerifyText);
  const kind = useWatch({ control, name: 'kind' }) ?? 'javascript';
  // Who cannot solve a picture, or gets no challenge of the vendor, has the browser compute instead: these have a difficulty, too.
  const isWork = ['proof_of_work', 'slide', 'rotate', 'image', 'external'].includes(kind);
  return (
    <>
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name="kind"
          label={t.kind}
          hint={t.kindHints[kind]}
          options={verifyKinds.map((value) => ({ value, label: t.kinds[value] }))}
        />
        <External control={control} isKind={kind === 'external'} />
        {kind === 'delay' && <DurationInput control={control} name="delay_seconds" label={t.delay} />}
        {isWork && (
          <NumberInput control={control} name="difficulty" label={t.difficulty} hint={t.difficultyHint} />
        )}
      </Box>
      {/* What gives an automated browser away is found by a script, and a cookie alone runs none. */}
      {kind !== 'cookie' && (
        <SwitchInput control={control} name="strict" label={t.strict} hint={t.strictHint} />
      )}
    </>
  );
}

/** Rules of other stages may ask for the vendor's challenge as well, so what is named stays in sight. */
function External({ control, isKind }: PartProps & { isKind: boolean }) {
  const t = useText(siteVerifyText);
  const choices = useCaptchaChoices();
  const [account, fallback = 'always'] = useWatch({
    control,
    name: ['captcha_account_id', 'external_fallback'],
  });
  if (!isKind && account === undefined) return null;
  return (
    <>
      <RemoteSelect
        control={control}
        name="captcha_account_id"
        label={t.account}
        hint={t.accountHint}
        choices={choices}
      />
      <SelectInput
        control={control}
        name="external_fallback"
        label={t.fallback}
        hint={t.fallbackHints[fallback]}
        options={externalFallbacks.map((value) => ({ value, label: t.fallbacks[value] }))}
      />
    </>
  );
}

function Scope({ control }: PartProps) {
  const t = useText(siteVerifyText);
  return (
    <Section title={t.scope}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <TagsInput
            control={control}
            name="only_paths"
            label={t.onlyPaths}
            hint={t.onlyPathsHint}
            placeholder="/shop/"
          />
          <TagsInput
            control={control}
            name="except_paths"
            label={t.exceptPaths}
            hint={t.exceptPathsHint}
            placeholder="/api/"
          />
          <TagsInput
            control={control}
            name="exempt_addresses"
            label={t.addresses}
            hint={t.addressesHint}
            placeholder="192.0.2.0/24"
          />
          <RemoteMultiSelect
            control={control}
            name="address_lists"
            label={t.lists}
            hint={t.listsHint}
            choices={useListChoices()}
          />
        </Box>
        <SwitchInput control={control} name="exempt_robots" label={t.robots} hint={t.robotsHint} />
        <ConditionInput control={control} name="condition" hint={t.conditionHint} />
      </Stack>
    </Section>
  );
}

/** For how long, how often and for whom a pass is good that a browser has earned. */
function Passes({ control }: PartProps) {
  const t = useText(siteVerifyText);
  return (
    <Section title={t.passes}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <DurationInput
            control={control}
            name="pass_seconds"
            label={t.passSeconds}
            hint={t.passSecondsHint}
          />
          <NumberInput
            control={control}
            name="pass_requests"
            label={t.passRequests}
            hint={t.passRequestsHint}
          />
          <NumberInput control={control} name="address_bits_v4" label={t.bitsV4} hint={t.bitsHint} />
          <NumberInput control={control} name="address_bits_v6" label={t.bitsV6} hint={t.bitsHint} />
          <NumberInput control={control} name="wrong_answers_max" label={t.wrong} hint={t.wrongHint} />
        </Box>
        <SwitchInput control={control} name="bind_tls" label={t.bindTls} hint={t.bindTlsHint} />
      </Stack>
    </Section>
  );
}

/** What the page of the challenge says. Empty texts are the node's own, in the visitor's language. */
function Page({ control }: PartProps) {
  const t = useText(siteVerifyText);
  return (
    <Section title={t.page}>
      <Stack sx={{ gap: 2 }}>
        <Box sx={fieldGrid}>
          <TextInput control={control} name="title" label={t.pageTitle} hint={t.pageHint} />
          <TextInput control={control} name="text" label={t.pageText} hint={t.pageHint} />
          <TextInput control={control} name="color" label={t.color} hint={t.colorHint} />
          <SelectInput
            control={control}
            name="status"
            label={t.status}
            hint={t.statusHint}
            options={verifyStatuses.map((value) => ({ value, label: String(value) }))}
          />
        </Box>
        <VerifyPreview control={control} />
      </Stack>
    </Section>
  );
}
