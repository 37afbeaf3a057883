import { logPrivacy, type LogPrivacy } from '@breakwater/contract';
import { Alert, Stack } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { TagsInput } from '../../kit/fields/inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/** What no log line has: values of arguments with these names are masked before a line leaves the node. */
export function LogPrivacyForms() {
  const t = useText(settingText);
  const read = useFormRead('getLogPrivacy', {});
  const update = useChange('updateLogPrivacy');
  return (
    <SettingOf
      schema={logPrivacy}
      read={read}
      route="updateLogPrivacy"
      save={(body) => update.mutateAsync({ body })}
      title={t.privacy}
      hint={t.privacyHint}
    >
      {({ control }) => <MaskedArguments control={control} />}
    </SettingOf>
  );
}

function MaskedArguments({ control }: { control: Control<z.input<typeof logPrivacy>, unknown, LogPrivacy> }) {
  const t = useText(settingText);
  const masked = useWatch({ control, name: 'mask_arguments' });
  return (
    <Stack sx={{ pt: 1, gap: 2 }}>
      <TagsInput control={control} name="mask_arguments" label={t.maskArguments} hint={t.maskArgumentsHint} />
      {/* The defaults name tokens and passwords: without them such values stand in the log as they were sent. */}
      {masked.length === 0 && <Alert severity="warning">{t.nothingMasked}</Alert>}
    </Stack>
  );
}
