import { attackNotice } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SwitchInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/** From when on a site is said to be attacked, and how often that is told. */
export function AttackNoticeForm() {
  const t = useText(settingText);
  const read = useFormRead('getAttackNotice', {});
  const update = useChange('updateAttackNotice');
  return (
    <SettingOf
      schema={attackNotice}
      read={read}
      route="updateAttackNotice"
      save={(body) => update.mutateAsync({ body })}
      title={t.attackNotice}
      hint={t.attackNoticeHint}
    >
      {({ control }) => (
        <Stack sx={{ gap: 2, pt: 1 }}>
          <SwitchInput control={control} name="enabled" label={t.attackNoticeOn} />
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <NumberInput
              control={control}
              name="requests"
              label={t.attackRequests}
              hint={t.attackRequestsHint}
            />
            <NumberInput
              control={control}
              name="window_minutes"
              label={t.attackWindow}
              unit={t.attackMinutes}
            />
            <NumberInput
              control={control}
              name="repeat_minutes"
              label={t.attackRepeat}
              unit={t.attackMinutes}
              hint={t.attackRepeatHint}
            />
            <NumberInput
              control={control}
              name="quiet_minutes"
              label={t.attackQuiet}
              unit={t.attackMinutes}
              hint={t.attackQuietHint}
            />
          </Box>
        </Stack>
      )}
    </SettingOf>
  );
}
