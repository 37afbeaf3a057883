import type { originServerConfig, OriginServerConfig } from '@breakwater/contract';
import { Box, FormControlLabel, FormHelperText, Stack, Switch } from '@mui/material';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type * as z from 'zod';
import { useText } from '../../../../i18n/text.ts';
import { SwitchInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { SecretInput } from '../../../../kit/fields/secret-input.tsx';
import { Section } from '../../../../kit/page.tsx';
import { siteObjectStorageText } from './object-storage.text.ts';

interface SiteObjectStorageProps {
  form: UseFormReturn<z.input<typeof originServerConfig>, unknown, OriginServerConfig>;
}

/**
 * Origins that want signed requests, as object storage of the S3 kind does (AWS Signature Version 4); without it
 * nothing of it is sent or stored.
 */
export function SiteObjectStorage({ form }: SiteObjectStorageProps) {
  const t = useText(siteObjectStorageText);
  const { control } = form;
  const isOn = useWatch({ control, name: 'object_storage' }) !== undefined;
  // An optional object and no flag: switched off, it is absent. Switched on again, it is what was saved.
  const turn = (on: boolean) =>
    form.setValue(
      'object_storage',
      on
        ? ((form.formState.defaultValues?.object_storage as never) ?? {
            region: '',
            bucket: '',
            path_style: false,
            access_key_id: '',
          })
        : undefined,
      { shouldDirty: true },
    );
  return (
    <Section title={t.title}>
      <Stack sx={{ gap: 2 }}>
        <Box>
          <FormControlLabel
            control={<Switch checked={isOn} onChange={(_, on) => turn(on)} />}
            label={t.sign}
          />
          <FormHelperText sx={{ m: 0 }}>{t.signHint}</FormHelperText>
        </Box>
        {isOn && (
          <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
            <TextInput control={control} name="object_storage.region" label={t.region} hint={t.regionHint} />
            <TextInput control={control} name="object_storage.bucket" label={t.bucket} hint={t.bucketHint} />
            <TextInput control={control} name="object_storage.access_key_id" label={t.accessKey} />
            <SecretInput
              control={control}
              name="object_storage.secret_access_key"
              label={t.secret}
              hint={t.secretHint}
            />
            <SwitchInput
              control={control}
              name="object_storage.path_style"
              label={t.pathStyle}
              hint={t.pathStyleHint}
            />
          </Box>
        )}
      </Stack>
    </Section>
  );
}
