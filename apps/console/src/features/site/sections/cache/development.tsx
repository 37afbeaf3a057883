import type { CacheRuleSection } from '@breakwater/contract';
import { Alert, Box, Stack } from '@mui/material';
import { useState } from 'react';
import type { ApiError } from '../../../../api/client.ts';
import { useText } from '../../../../i18n/text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { Section } from '../../../../kit/page.tsx';
import { notify } from '../../../../kit/toast.ts';
import { useNow } from '../../../../kit/use-now.ts';
import { siteCacheText } from './cache.text.ts';
import { useSectionSave } from '../../section/form.tsx';
import { useSite } from '../../context.tsx';

/** It ends by itself at the nodes, so that nobody forgets a site that bypasses its cache. */
const threeHoursMs = 3 * 3_600_000;

interface DevelopmentProps {
  latest: { version: number; value: CacheRuleSection };
  /** The form holds changes that this would save or lose. */
  isDirty: boolean;
}

/** Starts and ends development mode, each at once: whoever needs it is in the middle of something else. */
export function Development({ latest, isDirty }: DevelopmentProps) {
  const t = useText(siteCacheText);
  const { site, denied, onSent, undoOf } = useSite();
  const save = useSectionSave('updateCacheRule');
  const [busy, setBusy] = useState(false);
  const [now] = useNow(10_000);
  const until = latest.value.development_until;
  const leftMs = until === undefined ? 0 : Date.parse(until) - now;
  const isOn = leftMs > 0;
  const change = async (next: string | undefined) => {
    setBusy(true);
    try {
      // What is stored, and not what is in the form. Without `own`, each field stays set here or inherited as it was.
      const { development_until: _former, ...rest } = latest.value;
      const value = next === undefined ? rest : { ...rest, development_until: next };
      const saved = await save({ query: { site_id: site.id }, body: { version: latest.version, value } });
      onSent(undoOf(saved.version));
    } catch (error) {
      notify.refused((error as ApiError).message);
    }
    setBusy(false);
  };
  const reason = denied ?? (isDirty ? t.saveFirst : undefined);
  return (
    <Section title={t.development} hint={t.developmentHint}>
      <Stack
        direction="row"
        sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap', justifyContent: 'space-between' }}
      >
        <Alert severity={isOn ? 'warning' : 'info'} role="status" sx={{ flex: '1 1 260px' }}>
          {isOn ? t.developmentOn(leftText(leftMs, t.left)) : t.developmentOff}
        </Alert>
        <Box>
          <ActionButton
            color="inherit"
            variant="outlined"
            loading={busy}
            disabledReason={reason}
            onClick={() => void change(isOn ? undefined : new Date(Date.now() + threeHoursMs).toISOString())}
          >
            {isOn ? t.developmentEnd : t.developmentStart}
          </ActionButton>
        </Box>
      </Stack>
    </Section>
  );
}

/** Minutes are rounded up, so that what is still on never says 0. */
function leftText(milliseconds: number, text: (hours: number, minutes: number) => string): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  return text(Math.floor(minutes / 60), minutes % 60);
}
