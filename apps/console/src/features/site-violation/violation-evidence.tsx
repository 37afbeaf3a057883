import type { SiteViolation } from '@breakwater/contract';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { Time } from '../../kit/time.tsx';
import { siteViolationText } from './site-violation.text.ts';
import { Decided } from './violation-decided.tsx';

/** What was found where and when, and what was said about it since. */
export function EvidenceDialog({ violation, onClose }: { violation: SiteViolation; onClose: () => void }) {
  const t = useText(siteViolationText);
  const titleId = useId();
  const { delivery, decided_at: decidedAt, appealed_at: appealedAt } = violation;
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t.evidenceTitle}</DialogTitle>
      <DialogContent>
        <Facts
          columns={4}
          facts={[
            { label: t.page, value: violation.host + violation.request_uri, wide: true },
            { label: t.source, value: t.sourceHints[violation.source], wide: true },
            { label: t.kinds[violation.kind], value: violation.word },
            { label: t.category, value: violation.category },
            { label: t.excerpt, value: violation.excerpt, wide: true },
            { label: t.hash, value: violation.content_hash, wide: true },
            { label: t.time, value: <Time at={violation.created_at} /> },
            { label: t.seen, value: <Time at={violation.seen_at} /> },
            ...(violation.source === 'submitted'
              ? []
              : [
                  { label: t.action, value: t.actions[violation.action] },
                  { label: t.nodes, value: t.nodesApplied(delivery.nodes_applied, delivery.nodes_total) },
                ]),
            {
              label: t.decided,
              value: decidedAt && <Decided violation={violation} />,
            },
            { label: t.note, value: violation.note },
            { label: t.appeal, value: violation.appeal, wide: true },
            ...(appealedAt ? [{ label: t.appealedAt, value: <Time at={appealedAt} /> }] : []),
          ]}
        />
      </DialogContent>
      <DialogActions>
        <Button autoFocus color="inherit" onClick={onClose}>
          {t.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
