import { logPrivacy, type LogPrivacy } from '@breakwater/contract';
import { Alert, Stack } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TagsInput } from '../../kit/fields.tsx';
import { useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SettingFrame } from './setting-frame.tsx';
import { settingText } from './setting.text.ts';

/** What no log line has. */
export function LogPrivacyForms() {
  const read = useApi('getLogPrivacy', {});
  return <Loaded read={read}>{(data) => <LogPrivacyForm setting={data} />}</Loaded>;
}

function LogPrivacyForm({ setting }: { setting: LogPrivacy }) {
  const t = useText(settingText);
  const update = useChange('updateLogPrivacy', ['getLogPrivacy']);
  const form = useSchemaForm(logPrivacy, setting);
  const masked = useWatch({ control: form.control, name: 'mask_arguments' });
  return (
    <SettingFrame
      form={form}
      route="updateLogPrivacy"
      save={(body) => update.mutateAsync({ body })}
      title={t.privacy}
      hint={t.privacyHint}
    >
      <Stack sx={{ pt: 1, gap: 2 }}>
        <TagsInput
          control={form.control}
          name="mask_arguments"
          label={t.maskArguments}
          hint={t.maskArgumentsHint}
        />
        {masked.length === 0 && <Alert severity="warning">{t.nothingMasked}</Alert>}
      </Stack>
    </SettingFrame>
  );
}
