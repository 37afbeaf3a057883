import { corsMethods } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { DurationInput, MultiSelectInput, SwitchInput, TagsInput } from '../../../../kit/fields/inputs.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { AccessFormControl } from './access.tsx';
import { siteCorsText } from './cors.text.ts';

/**
 * Which pages of other sites may read answers (Fetch standard, CORS). Nodes answer the browser's preflights
 * themselves, and replace what the origin says of it.
 */
export function CorsFields({ control }: { control: AccessFormControl }) {
  const t = useText(siteCorsText);
  const isOn = useWatch({ control, name: 'cors.enabled' });
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="cors.enabled" label={t.enabled} />
        {isOn && (
          <>
            <Box sx={fieldGrid}>
              <TagsInput
                control={control}
                name="cors.origins"
                label={t.origins}
                hint={t.originsHint}
                placeholder="https://app.example.com"
              />
              <MultiSelectInput
                control={control}
                name="cors.methods"
                label={t.methods}
                hint={t.methodsHint}
                options={corsMethods.map((value) => ({ value, label: value }))}
              />
              <TagsInput
                control={control}
                name="cors.headers"
                label={t.headers}
                hint={t.headersHint}
                placeholder="Authorization"
              />
              <TagsInput
                control={control}
                name="cors.exposed_headers"
                label={t.exposed}
                hint={t.exposedHint}
                placeholder="ETag"
              />
              <DurationInput
                control={control}
                name="cors.max_age_seconds"
                label={t.maxAge}
                hint={t.maxAgeHint}
              />
            </Box>
            <SwitchInput
              control={control}
              name="cors.credentials"
              label={t.credentials}
              hint={t.credentialsHint}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}
