import { bodyReplacement } from '@breakwater/contract';
import { Box, Stack } from '@mui/material';
import { useText } from '../../../../i18n/text.ts';
import { ConditionInput } from '../../../../domain/condition/condition-input.tsx';
import { FieldSourceNote } from '../../../../kit/fields/field-source.tsx';
import { SwitchInput, TagsInput, TextInput } from '../../../../kit/fields/inputs.tsx';
import { BytesInput } from '../../../../kit/fields/amount-inputs.tsx';
import { CodeInput } from '../../../../kit/fields/code-input.tsx';
import { OrderedListInput } from '../../../../kit/fields/ordered-list-input.tsx';
import { Section } from '../../../../kit/page.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import type { RewriteControl } from './rewrite.tsx';
import { siteRewriteText } from './rewrite.text.ts';

/** The contract's defaults, of a rule that it takes; what is to be entered is emptied again. */
const newReplacement = { ...bodyReplacement.parse({ find: 'a' }), find: '' };

/**
 * Text that is changed in the content of answers, once, on its way into the cache. All of it is one value to be inherited.
 */
export function BodyRules({ control }: { control: RewriteControl }) {
  const t = useText(siteRewriteText);
  return (
    <Section title={t.body} hint={t.bodyHint}>
      <FieldSourceNote name="body" />
      <Stack sx={{ gap: 3 }}>
        <CodeInput control={control} name="body.head_html" label={t.head} hint={t.headHint} rows={3} />
        <CodeInput control={control} name="body.body_html" label={t.foot} hint={t.footHint} rows={3} />
        <OrderedListInput
          control={control}
          name="body.replacements"
          label={t.replacements}
          hint={t.replacementsHint}
          addLabel={t.addReplacement}
          blank={() => newReplacement}
          max={30}
        >
          {(index) => (
            <Stack sx={{ gap: 2 }}>
              <TextInput
                control={control}
                name={`body.replacements.${index}.find`}
                label={t.find}
                placeholder="http://cdn.example.com/"
              />
              <TextInput
                control={control}
                name={`body.replacements.${index}.replace`}
                label={t.replaceWith}
                placeholder="https://cdn.example.com/"
              />
              <SwitchInput control={control} name={`body.replacements.${index}.enabled`} label={t.enabled} />
            </Stack>
          )}
        </OrderedListInput>
        <Box sx={fieldGrid}>
          <TagsInput
            control={control}
            name="body.content_types"
            label={t.contentTypes}
            hint={t.contentTypesHint}
          />
          <BytesInput control={control} name="body.max_bytes" label={t.maxBytes} hint={t.maxBytesHint} />
        </Box>
        <ConditionInput control={control} name="body.condition" hint={t.conditionHints.body} />
      </Stack>
    </Section>
  );
}
