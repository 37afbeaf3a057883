import { floodSetting } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SwitchInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { wafSettingText } from './waf-setting.text.ts';

/** From how much at one address of a node it is said to be attacked below HTTP. */
export function FloodSettingForm() {
  const t = useText(wafSettingText);
  const read = useFormRead('getFloodSetting', {});
  const update = useChange('updateFloodSetting');
  return (
    <SettingOf
      schema={floodSetting}
      read={read}
      route="updateFloodSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.flood}
      hint={t.floodHint}
    >
      {({ control }) => (
        <Stack sx={{ gap: 2, pt: 1 }}>
          <SwitchInput control={control} name="enabled" label={t.floodOn} hint={t.floodOnHint} />
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            {/* Per second, at one address of a node. The first threshold that is passed names the attack (docs/floods.md). */}
            <NumberInput control={control} name="syn" label={t.floodSyn} unit={t.perSecond} />
            <NumberInput
              control={control}
              name="udp"
              label={t.floodUdp}
              unit={t.perSecond}
              hint={t.floodUdpHint}
            />
            <NumberInput control={control} name="stray" label={t.floodStray} unit={t.perSecond} />
            <NumberInput control={control} name="packets" label={t.floodPackets} unit={t.perSecond} />
            <NumberInput
              control={control}
              name="megabits"
              label={t.floodMegabits}
              unit="Mbps"
              hint={t.floodMegabitsHint}
            />
            <NumberInput
              control={control}
              name="quiet_minutes"
              label={t.floodQuiet}
              unit={t.minutes}
              hint={t.floodQuietHint}
            />
          </Box>
        </Stack>
      )}
    </SettingOf>
  );
}
