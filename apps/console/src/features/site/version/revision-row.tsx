import type { SiteRevision } from '@breakwater/contract';
import { Accordion, AccordionDetails, AccordionSummary, Box, Chip, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { Icon } from '../../../kit/icon.tsx';
import { Time } from '../../../kit/time.tsx';
import { SiteChanges } from '../change/changes.tsx';
import { siteText } from '../site.text.ts';

interface RevisionRowProps {
  revision: Pick<SiteRevision, 'version' | 'diff' | 'created_at'>;
  /** What was changed. */
  title: string;
  author: string;
  /** It is what is in force: there is nothing to go back to. */
  current: boolean;
  restore: { label: string; onClick: () => void; disabledReason: string | undefined };
}

/** A version in the history of a site or of a level: a line, and its diff once it is opened. */
export function RevisionRow({ revision, title, author, current, restore }: RevisionRowProps) {
  const t = useText(siteText).revisions;
  return (
    <Accordion
      disableGutters
      square
      elevation={0}
      // A diff can be long, and a page of the history has many.
      slotProps={{ transition: { unmountOnExit: true } }}
      sx={{ borderTop: 1, borderColor: 'divider' }}
    >
      <AccordionSummary expandIcon={<Icon name="down" size={18} />} sx={{ px: 3 }}>
        <Stack
          direction="row"
          sx={{
            flex: 1,
            minWidth: 0,
            columnGap: 2,
            rowGap: 0.5,
            flexWrap: 'wrap',
            alignItems: 'center',
            textAlign: 'start',
            pr: 2,
          }}
        >
          <Typography variant="subtitle2" sx={{ minWidth: 72 }}>
            {t.version(revision.version)}
          </Typography>
          <Typography variant="body2" sx={{ flex: '1 1 140px' }}>
            {title}
            <Quiet> {t.changes(revision.diff.length)}</Quiet>
          </Typography>
          {current && <Chip size="small" color="primary" variant="outlined" label={t.current} />}
          <Quiet>{author}</Quiet>
          <Quiet>
            <Time at={revision.created_at} />
          </Quiet>
        </Stack>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 3, pb: 3 }}>
        {revision.diff.length === 0 ? <Quiet>{t.noChanges}</Quiet> : <SiteChanges entries={revision.diff} />}
        {!current && (
          <Box sx={{ mt: 2 }}>
            <ActionButton
              icon="rollback"
              variant="outlined"
              color="inherit"
              onClick={restore.onClick}
              disabledReason={restore.disabledReason}
            >
              {restore.label}
            </ActionButton>
          </Box>
        )}
      </AccordionDetails>
    </Accordion>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Typography component="span" variant="body2" sx={{ color: 'text.secondary' }}>
      {children}
    </Typography>
  );
}
