import { blockReferer, refererStatuses, type BlockReferer } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { SelectInput, SwitchInput, TagsInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { DomainListInput } from '../../../../kit/fields/list-inputs.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { siteRefererText } from './referer.text.ts';

type RefererControl = Control<z.input<typeof blockReferer>, unknown, BlockReferer>;

/**
 * The tab “Hotlink protection”, of a site or of a level: which pages may show what is served here, by the `Referer`
 * of browsers (RFC 9110 §10.1.3).
 */
export function SiteReferer() {
  const config = useInherited('block_referer');
  return <Loaded read={config}>{(data) => <RefererForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface RefererFormProps {
  latest: Data<'getBlockReferer'>;
  refetch: ReturnType<typeof useFormRead<'getBlockReferer'>>['refetch'];
}

function RefererForm({ latest, refetch }: RefererFormProps) {
  const t = useText(siteRefererText);
  const save = useInheritedSave('block_referer');
  const section = useSectionForm(blockReferer, latest, save, refetch, 'block_referer');
  const { control } = section.form;
  const isOn = useWatch({ control, name: 'enabled' });
  return (
    <SectionForm section={section}>
      <Section title={t.title} hint={t.hint}>
        <Stack sx={{ gap: 2 }}>
          <SwitchInput control={control} name="enabled" label={t.enabled} />
          {isOn && <Hosts control={control} />}
        </Stack>
      </Section>
      {isOn && <Scope control={control} />}
      {isOn && <Answer control={control} />}
    </SectionForm>
  );
}

/** Whose pages may, and whose may not; those that may not go first. */
function Hosts({ control }: { control: RefererControl }) {
  const t = useText(siteRefererText);
  return (
    <>
      <Box sx={fieldGrid}>
        <DomainListInput control={control} name="allow" label={t.allow} hint={t.allowHint} rows={3} />
        <DomainListInput control={control} name="deny" label={t.deny} hint={t.denyHint} rows={3} />
      </Box>
      <SwitchInput control={control} name="allow_empty" label={t.allowEmpty} hint={t.allowEmptyHint} />
      <SwitchInput control={control} name="allow_same_domain" label={t.allowSame} />
      <SwitchInput control={control} name="check_origin" label={t.checkOrigin} hint={t.checkOriginHint} />
    </>
  );
}

function Scope({ control }: { control: RefererControl }) {
  const t = useText(siteRefererText);
  return (
    <Section title={t.scope}>
      <Box sx={fieldGrid}>
        <TagsInput
          control={control}
          name="only_paths"
          label={t.onlyPaths}
          hint={t.onlyPathsHint}
          placeholder="*.jpg"
        />
        <TagsInput
          control={control}
          name="except_paths"
          label={t.exceptPaths}
          hint={t.exceptPathsHint}
          placeholder="/logo.png"
        />
      </Box>
    </Section>
  );
}

/** What is refused gets a status, or is sent on, such as to an image that stands in. */
function Answer({ control }: { control: RefererControl }) {
  const t = useText(siteRefererText);
  const isRedirect = useWatch({ control, name: 'action' }) === 'redirect';
  return (
    <Section title={t.answer}>
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name="action"
          label={t.action}
          options={(['status', 'redirect'] as const).map((value) => ({ value, label: t.actions[value] }))}
        />
        {isRedirect ? (
          <TextInput
            control={control}
            name="redirect_url"
            label={t.redirectUrl}
            hint={t.redirectUrlHint}
            placeholder="https://example.com/no.png"
          />
        ) : (
          <SelectInput
            control={control}
            name="status"
            label={t.status}
            options={refererStatuses.map((value) => ({ value, label: String(value) }))}
          />
        )}
      </Box>
    </Section>
  );
}
