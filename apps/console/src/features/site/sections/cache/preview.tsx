import type { CacheRule } from '@breakwater/contract';
import { Alert, Stack, TextField } from '@mui/material';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useText } from '../../../../i18n/text.ts';
import { Section } from '../../../../kit/page.tsx';
import { decidingRule } from './deciding-rule.ts';
import type { CacheControl } from './cache.tsx';
import { useRuleWords } from './rule.tsx';
import { siteCacheText } from './cache.text.ts';

/** Which of the rules in the form decides for an address, by the policy that the nodes run. */
export function CachePreview({ control }: { control: CacheControl }) {
  const t = useText(siteCacheText);
  const rules = useWatch({ control, name: 'rules' }) as CacheRule[];
  const [address, setAddress] = useState('/');
  const words = useRuleWords();
  const decided = decidingRule(rules, address);
  if (rules.length === 0) return null;
  return (
    <Section title={t.preview} hint={t.previewHint}>
      <Stack sx={{ gap: 2, maxWidth: 720 }}>
        <TextField
          label={t.previewPath}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
          placeholder="/static/app.js?v=2"
        />
        <Alert severity={decided === undefined ? 'info' : 'success'} role="status">
          {decided === undefined ? t.previewNone : t.previewRule(words(rules[decided]!))}
          {decided !== undefined && rules[decided]?.condition !== undefined && <div>{t.previewSome}</div>}
        </Alert>
      </Stack>
    </Section>
  );
}
