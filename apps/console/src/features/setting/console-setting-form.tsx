import { consoleLanguages, consoleSetting } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { SelectInput, SwitchInput, TextInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/**
 * Texts of the sign-in page, the sign-up switch and the banner. Texts are entered in both languages of the console,
 * as each reader has one of them.
 */
export function ConsoleSettingForms() {
  const t = useText(settingText);
  const read = useFormRead('getConsoleSetting', {});
  const update = useChange('updateConsoleSetting');
  return (
    <SettingOf
      schema={consoleSetting}
      read={read}
      route="updateConsoleSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.console}
      hint={t.consoleHint}
    >
      {({ control }) => (
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
          <TextInput control={control} name="welcome_tip.zh" label={t.tipZh} />
          <TextInput control={control} name="welcome_tip.en" label={t.tipEn} />
          <SelectInput
            control={control}
            name="language"
            label={t.language}
            hint={t.languageHint}
            options={consoleLanguages.map((value) => ({ value, label: t.languages[value] }))}
          />
          <SwitchInput control={control} name="sign_up" label={t.signUp} />
          <Box sx={{ gridColumn: '1 / -1' }}>
            <SwitchInput control={control} name="upgrade_banner.shown" label={t.banner} hint={t.bannerHint} />
          </Box>
          <TextInput control={control} name="upgrade_banner.text.zh" label={t.bannerZh} />
          <TextInput control={control} name="upgrade_banner.text.en" label={t.bannerEn} />
          <TextInput control={control} name="upgrade_banner.link_text.zh" label={t.linkZh} />
          <TextInput control={control} name="upgrade_banner.link_text.en" label={t.linkEn} />
          <Box sx={{ gridColumn: '1 / -1' }}>
            <TextInput control={control} name="upgrade_banner.link" label={t.link} hint={t.linkHint} />
          </Box>
        </Box>
      )}
    </SettingOf>
  );
}
