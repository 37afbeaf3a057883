import { Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { formWidth } from '../../kit/form/form-page.tsx';
import { Page } from '../../kit/page.tsx';
import { ConsoleSettingForms } from './console-setting-form.tsx';
import { FilingSettingForm } from './filing-form.tsx';
import { LogPrivacyForms } from './log-privacy-form.tsx';
import { LogShippingForms } from './log-shipping-form.tsx';
import { AccountLimitsForm } from './account-limits-form.tsx';
import { AttackNoticeForm } from './attack-notice-form.tsx';
import { PlatformHttpsForm } from './platform-https-form.tsx';
import { RetentionForms } from './retention-form.tsx';
import { SiteSettingForms } from './site-setting-form.tsx';
import { SitePortForms } from './site-port-form.tsx';
import { settingText } from './setting.text.ts';

/** The platform's settings, a card each. Each is read and saved by itself, so that two people can work on two of them. */
export function Settings() {
  const t = useText(settingText);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Stack sx={{ maxWidth: formWidth, gap: 3 }}>
        <ConsoleSettingForms />
        <PlatformHttpsForm />
        <SiteSettingForms />
        <SitePortForms />
        <RetentionForms />
        <AccountLimitsForm />
        <AttackNoticeForm />
        <FilingSettingForm />
        <LogPrivacyForms />
        <LogShippingForms />
      </Stack>
    </Page>
  );
}
