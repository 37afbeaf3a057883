import { signingTypes } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import {
  DurationInput,
  SelectInput,
  SwitchInput,
  TagsInput,
  TextInput,
} from '../../../../kit/fields/inputs.tsx';
import { SecretInput } from '../../../../kit/fields/secret-input.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { AccessFormControl } from './access.tsx';
import { siteSignedLinksText } from './signed-links.text.ts';

/**
 * Links that are good for a while: with a signature in the address, in one of three forms, which other CDNs
 * have too (docs/access.md).
 */
export function SignedLinks({ control }: { control: AccessFormControl }) {
  const t = useText(siteSignedLinksText);
  const [isOn, type = 'A'] = useWatch({ control, name: ['signing.enabled', 'signing.type'] });
  return (
    <Section title={t.title} hint={t.hint}>
      <Stack sx={{ gap: 2 }}>
        <SwitchInput control={control} name="signing.enabled" label={t.enabled} />
        {isOn && (
          <>
            <Box sx={fieldGrid}>
              <SelectInput
                control={control}
                name="signing.type"
                label={t.type}
                hint={t.forms[type]}
                options={signingTypes.map((value) => ({ value, label: value }))}
              />
              <DurationInput
                control={control}
                name="signing.valid_seconds"
                label={t.valid}
                hint={t.validHint}
              />
              {type === 'A' && <TextInput control={control} name="signing.argument" label={t.argument} />}
              {/* Two secrets, so that one can be replaced: links that were signed with the previous one stay good. */}
              <SecretInput control={control} name="signing.secret" label={t.secret} hint={t.secretHint} />
              <SecretInput
                control={control}
                name="signing.previous_secret"
                label={t.previous}
                hint={t.previousHint}
                removable
              />
            </Box>
            <Box sx={fieldGrid}>
              <TagsInput
                control={control}
                name="signed_paths"
                label={t.only}
                hint={t.onlyHint}
                placeholder="/paid/"
              />
              <TagsInput control={control} name="unsigned_paths" label={t.except} placeholder="/public/" />
            </Box>
          </>
        )}
      </Stack>
    </Section>
  );
}
