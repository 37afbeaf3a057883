import {
  builtInCdns,
  cdnListUrls,
  cdnPresetNames,
  realIp,
  realIpModes,
  untrustedFields,
} from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useWatch } from 'react-hook-form';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { useText } from '../../../../i18n/text.ts';
import { NumberInput, SelectInput, TagsInput } from '../../../../kit/fields/inputs.tsx';
import { IpListInput } from '../../../../kit/fields/list-inputs.tsx';
import { RemoteMultiSelect } from '../../../../kit/fields/remote-multi-select.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useListChoices } from '../../condition-data.tsx';
import { useSiteIfAny } from '../../context.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { SiteAddressTest } from './address-test.tsx';
import { siteRealIpText } from './real-ip.text.ts';

/**
 * The tab “Real client IP”, of a site or of a level: whose address counts where something stands before the nodes
 * (docs/client-address.md).
 */
export function SiteRealIp() {
  const config = useInherited('real_ip');
  return <Loaded read={config}>{(data) => <RealIpForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface RealIpFormProps {
  latest: Data<'getRealIp'>;
  refetch: ReturnType<typeof useFormRead<'getRealIp'>>['refetch'];
}

function RealIpForm({ latest, refetch }: RealIpFormProps) {
  const t = useText(siteRealIpText);
  const save = useInheritedSave('real_ip');
  const section = useSectionForm(realIp, latest, save, refetch, 'real_ip');
  const { control } = section.form;
  const mode = useWatch({ control, name: 'mode' }) ?? 'socket';
  const trusted = useWatch({ control, name: 'trusted' }) ?? [];
  // A header is believed of those that are trusted alone, since any visitor can send one: of nobody, the setting does nothing.
  const lists = useWatch({ control, name: 'address_lists' }) ?? [];
  const preset = useWatch({ control, name: 'preset' }) ?? 'cloudflare';
  // `cdn` trusts the networks that the provider publishes without being told.
  const isAlone = mode !== 'socket' && mode !== 'cdn' && trusted.length + lists.length === 0;
  const choices = useListChoices();
  const site = useSiteIfAny()?.site;
  return (
    <SectionForm section={section}>
      <Section title={t.title} hint={t.hint} actions={site && <SiteAddressTest site={site} />}>
        <Stack sx={{ gap: 2 }}>
          <Box sx={fieldGrid}>
            <SelectInput
              control={control}
              name="mode"
              label={t.mode}
              hint={t.modeHints[mode]}
              options={realIpModes.map((value) => ({ value, label: t.modes[value] }))}
            />
            {mode === 'cdn' && (
              <SelectInput
                control={control}
                name="preset"
                label={t.preset}
                hint={builtInCdns.includes(preset) ? t.presetHint : t.presetListHint}
                options={cdnPresetNames.map((value) => ({ value, label: t.presets[value] }))}
              />
            )}
            {mode === 'xff' && (
              <NumberInput control={control} name="depth" label={t.depth} hint={t.depthHint} />
            )}
          </Box>
          {mode === 'header' && (
            <TagsInput
              control={control}
              name="headers"
              label={t.headers}
              hint={t.headersHint}
              placeholder="X-Real-IP"
            />
          )}
          {mode !== 'socket' && (
            <IpListInput
              control={control}
              name="trusted"
              label={t.trusted}
              hint={mode === 'cdn' ? t.trustedCdnHint : t.trustedHint}
            />
          )}
          {mode !== 'socket' && (
            <RemoteMultiSelect
              control={control}
              name="address_lists"
              label={t.addressLists}
              hint={mode === 'cdn' ? t.addressListsCdnHint(cdnListUrls[preset]) : t.addressListsHint}
              choices={choices}
            />
          )}
          {isAlone && <Alert severity="warning">{t.nobodyTrusted}</Alert>}
        </Stack>
      </Section>
      <Section title={t.passTitle} hint={t.passIntro}>
        <TagsInput
          control={control}
          name="pass_headers"
          label={t.passHeaders}
          hint={t.passHeadersHint}
          placeholder="X-HTTP-Method-Override"
          suggestions={untrustedFields}
        />
      </Section>
    </SectionForm>
  );
}
