import { Stack } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Page } from '../../kit/page.tsx';
import { EditionInUse } from './vulnerability-edition.tsx';
import { knownVulnerabilityText } from './known-vulnerability.text.ts';
import { RuleTable } from './vulnerability-rules.tsx';
import { VulnerabilityUpdates } from './vulnerability-updates.tsx';

/**
 * The rules for known vulnerabilities: which edition nodes have, where newer ones come from, and what they are for.
 * Editions are signed, and are taken only with a key that is known (docs/detection.md).
 */
export function KnownVulnerabilities() {
  const t = useText(knownVulnerabilityText);
  const read = useApi('getKnownVulnerabilities', {});
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <Stack sx={{ gap: 3 }}>
        <Loaded read={read}>{(edition) => <EditionInUse edition={edition} />}</Loaded>
        <VulnerabilityUpdates />
        <RuleTable read={read} />
      </Stack>
    </Page>
  );
}
