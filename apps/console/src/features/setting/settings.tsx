import { logRetention, type LogRetention } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields.tsx';
import { formWidth } from '../../kit/form-page.tsx';
import { useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { ConsoleSettingForms } from './console-setting-form.tsx';
import { LogPrivacyForms } from './log-privacy-form.tsx';
import { SiteSettingForms } from './site-setting-form.tsx';
import { SitePortForms } from './site-port-form.tsx';
import { SettingFrame } from './setting-frame.tsx';
import { settingText } from './setting.text.ts';

export function Settings() {
  const t = useText(settingText);
  const retention = useApi('getLogRetention', {});
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Stack sx={{ maxWidth: formWidth, gap: 3 }}>
        <ConsoleSettingForms />
        <SiteSettingForms />
        <SitePortForms />
        <Loaded read={retention}>{(data) => <RetentionForm retention={data} />}</Loaded>
        <LogPrivacyForms />
      </Stack>
    </Page>
  );
}

function RetentionForm({ retention }: { retention: LogRetention }) {
  const t = useText(settingText);
  const update = useChange('updateLogRetention', ['getLogRetention']);
  const form = useSchemaForm(logRetention, retention);
  return (
    <SettingFrame
      form={form}
      route="updateLogRetention"
      save={(body) => update.mutateAsync({ body })}
      title={t.retention}
      hint={t.retentionHint}
    >
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
        <NumberInput
          control={form.control}
          name="record_days"
          label={t.records}
          hint={t.recordsHint}
          unit={t.days}
        />
        <NumberInput
          control={form.control}
          name="rollup_days"
          label={t.rollups}
          hint={t.rollupsHint}
          unit={t.days}
        />
      </Box>
    </SettingFrame>
  );
}
