import { wafSetting, type WafSetting } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import type { Control } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { listsUsableBy } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { DurationInput, NumberInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { IpListInput } from '../../kit/fields/list-inputs.tsx';
import { RemoteMultiSelect } from '../../kit/fields/remote-multi-select.tsx';
import { formWidth } from '../../kit/form/form-page.tsx';
import { Page, SectionHeading } from '../../kit/page.tsx';
import { FloodSettingForm } from './flood-setting-form.tsx';
import { SettingOf } from './setting-of.tsx';
import { wafSettingText } from './waf-setting.text.ts';

interface Fields {
  control: Control<z.input<typeof wafSetting>, unknown, WafSetting>;
}

/** How bans by rules work on the whole platform, whom none is for, and from when on a node is flooded (docs/bans.md). */
export function WafSettingScreen() {
  const t = useText(wafSettingText);
  const read = useFormRead('getWafSetting', {});
  const update = useChange('updateWafSetting');
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Stack sx={{ maxWidth: formWidth, gap: 3 }}>
        <SettingOf
          schema={wafSetting}
          read={read}
          route="updateWafSetting"
          save={(body) => update.mutateAsync({ body })}
          title={t.durations}
          hint={t.durationsHint}
        >
          {({ control }) => (
            <Stack sx={{ gap: 3, pt: 1 }}>
              <Durations control={control} />
              <Never control={control} />
              <TextInput control={control} name="objection" label={t.objection} hint={t.objectionHint} />
            </Stack>
          )}
        </SettingOf>
        <FloodSettingForm />
      </Stack>
    </Page>
  );
}

/** Who is banned again within the window is banned for longer, up to a maximum. */
function Durations({ control }: Fields) {
  const t = useText(wafSettingText);
  return (
    <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
      <NumberInput control={control} name="repeat_factor" label={t.repeatFactor} unit={t.times} />
      <DurationInput control={control} name="repeat_window_seconds" label={t.repeatWindow} />
      <DurationInput control={control} name="ban_seconds_max" label={t.banSecondsMax} />
      <NumberInput control={control} name="client_bans_max" label={t.clientBansMax} unit={t.ips} />
    </Box>
  );
}

/** Addresses that no ban is for. Nodes and the control plane are not banned either, without being named. */
function Never({ control }: Fields) {
  const t = useText(wafSettingText);
  return (
    <Box component="section">
      <SectionHeading title={t.never} hint={t.neverHint} />
      <Stack sx={{ gap: 2, pt: 2 }}>
        <IpListInput
          control={control}
          name="never_addresses"
          label={t.neverAddresses}
          hint={t.neverAddressesHint}
        />
        <RemoteMultiSelect
          control={control}
          name="never_list_ids"
          label={t.neverLists}
          choices={listsUsableBy('platform')}
        />
        <SwitchInput control={control} name="never_robots" label={t.neverRobots} />
        <SwitchInput
          control={control}
          name="never_private"
          label={t.neverPrivate}
          hint={t.neverPrivateHint}
        />
      </Stack>
    </Box>
  );
}
