import { filingProviderCodes, filingProviders, filingSetting } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput, SelectInput, TextInput } from '../../kit/fields/inputs.tsx';
import { SecretInput } from '../../kit/fields/secret-input.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/** Who confirms filing numbers (ICP): operators by hand, or a server of their own that is asked (docs/filings.md). */
export function FilingSettingForm() {
  const t = useText(settingText);
  const read = useFormRead('getFilingSetting', {});
  const update = useChange('updateFilingSetting');
  return (
    <SettingOf
      schema={filingSetting}
      read={read}
      route="updateFilingSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.filing}
      hint={t.filingHint}
    >
      {({ control }) => <Fields control={control} />}
    </SettingOf>
  );
}

interface FieldsProps {
  control: Control<z.input<typeof filingSetting>, unknown, z.output<typeof filingSetting>>;
}

function Fields({ control }: FieldsProps) {
  const t = useText(settingText);
  const language = useLanguage();
  const provider = useWatch({ control, name: 'provider' });
  // Labels and hints are the provider's, as in the contract's description of it.
  const { fields } = filingProviders.custom_http;
  return (
    <Stack sx={{ gap: 2.5, pt: 1 }}>
      <SelectInput
        control={control}
        name="provider"
        label={t.filingProvider}
        options={filingProviderCodes.map((value) => ({
          value,
          label: filingProviders[value].title[language],
        }))}
      />
      {provider === 'custom_http' && (
        <>
          <TextInput
            control={control}
            name="url"
            label={fields.url.label[language]}
            hint={fields.url.hint[language]}
          />
          <SecretInput
            control={control}
            name="secret"
            label={fields.secret.label[language]}
            hint={fields.secret.hint[language]}
          />
          <NumberInput
            control={control}
            name="recheck_days"
            label={t.filingRecheck}
            unit={t.filingDays}
            hint={t.filingRecheckHint}
          />
        </>
      )}
    </Stack>
  );
}
