import type { SiteBatch } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useCallback } from 'react';
import { useText } from '../../../i18n/text.ts';
import { Meter } from '../../../kit/meter.tsx';
import { StatusChip } from '../../../kit/status-chip.tsx';
import { siteBatchText } from './batch.text.ts';
import { siteText } from '../site.text.ts';

/** How far a batch is; once it is through, whether all went well. */
export function BatchState({ batch }: { batch: SiteBatch }) {
  const t = useText(siteBatchText);
  const through = batch.done + batch.unchanged + batch.failed;
  if (batch.status === 'cancelled') return <StatusChip tone="warning" label={t.states.cancelled} />;
  // A batch that is done may have failed lines: yellow where some failed, red where all did.
  if (batch.status === 'done')
    return batch.failed > 0 ? (
      batch.failed < batch.total ? (
        <StatusChip tone="warning" label={t.doneWithFailures} />
      ) : (
        <StatusChip tone="error" label={t.states.failed} />
      )
    ) : (
      <StatusChip tone="success" label={t.done} />
    );
  return (
    <Box sx={{ width: 160 }}>
      <Meter
        label={t.running}
        share={batch.total === 0 ? 0 : through / batch.total}
        detail={`${through} / ${batch.total}`}
      />
    </Box>
  );
}

/** What a batch is called: its kind, and of a change of configuration which part. */
export function useBatchName(): (batch: SiteBatch) => string {
  const t = useText(siteBatchText);
  const { sections } = useText(siteText).revisions;
  return useCallback(
    (batch) =>
      batch.section === null
        ? t.kinds[batch.kind]
        : `${t.kinds.section} · ${t.sectionOf(sections[batch.section], batch.fields.join(', '))}`,
    [sections, t],
  );
}
