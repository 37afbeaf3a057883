import { consoleSetting, type ConsoleSetting } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { SwitchInput, TextInput } from '../../kit/fields.tsx';
import { useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SettingFrame } from './setting-frame.tsx';
import { settingText } from './setting.text.ts';

/** Texts of the sign-in page, the sign-up switch and the banner. */
export function ConsoleSettingForms() {
  const read = useApi('getConsoleSetting', {});
  return <Loaded read={read}>{(data) => <ConsoleSettingForm setting={data} />}</Loaded>;
}

function ConsoleSettingForm({ setting }: { setting: ConsoleSetting }) {
  const t = useText(settingText);
  const update = useChange('updateConsoleSetting', ['getConsoleSetting']);
  const form = useSchemaForm(consoleSetting, setting);
  const { control } = form;
  return (
    <SettingFrame
      form={form}
      route="updateConsoleSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.console}
      hint={t.consoleHint}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
        <TextInput control={control} name="welcome_tip.zh" label={t.tipZh} />
        <TextInput control={control} name="welcome_tip.en" label={t.tipEn} />
        <SwitchInput control={control} name="sign_up" label={t.signUp} />
        <SwitchInput control={control} name="upgrade_banner.shown" label={t.banner} hint={t.bannerHint} />
        <TextInput control={control} name="upgrade_banner.text.zh" label={t.bannerZh} />
        <TextInput control={control} name="upgrade_banner.text.en" label={t.bannerEn} />
        <TextInput control={control} name="upgrade_banner.link_text.zh" label={t.linkZh} />
        <TextInput control={control} name="upgrade_banner.link_text.en" label={t.linkEn} />
        <Box sx={{ gridColumn: '1 / -1' }}>
          <TextInput control={control} name="upgrade_banner.link" label={t.link} hint={t.linkHint} />
        </Box>
      </Box>
    </SettingFrame>
  );
}
