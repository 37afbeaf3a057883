import { logPrivacy, type LogPrivacy } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useMay } from '../../api/account.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { TagsInput } from '../../kit/fields.tsx';
import { FormFrame } from '../../kit/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { settingText } from './setting.text.ts';

/** What no log line has. */
export function LogPrivacyForms() {
  const read = useApi('getLogPrivacy', {});
  return <Loaded read={read}>{(data) => <LogPrivacyForm setting={data} />}</Loaded>;
}

function LogPrivacyForm({ setting }: { setting: LogPrivacy }) {
  const t = useText(settingText);
  const kit = useText(kitText);
  const may = useMay();
  const update = useChange('updateLogPrivacy', ['getLogPrivacy']);
  const form = useSchemaForm(logPrivacy, setting);
  const submit = submitForm(form, async (body) => {
    form.reset(await update.mutateAsync({ body }));
    notify.success(t.saved);
  });
  return (
    <FormFrame
      form={form}
      onSubmit={submit}
      disabledReason={may('updateLogPrivacy') ? undefined : kit.noPermission}
    >
      <Section title={t.privacy} hint={t.privacyHint}>
        <Box sx={{ pt: 1 }}>
          <TagsInput
            control={form.control}
            name="mask_arguments"
            label={t.maskArguments}
            hint={t.maskArgumentsHint}
          />
        </Box>
      </Section>
    </FormFrame>
  );
}
