import type { SiteRevision } from '@breakwater/contract';
import {
  Accordion,
  AccordionDetails,
  AccordionSummary,
  Box,
  Card,
  Chip,
  Stack,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { TablePager } from '../../kit/table-pager.tsx';
import { Time } from '../../kit/time.tsx';
import { useSite } from './site-context.tsx';
import { SiteRollback } from './site-rollback.tsx';
import { SiteVersionTools } from './site-version-tools.tsx';
import { siteText } from './site.text.ts';

export function SiteRevisions() {
  const t = useText(siteText).revisions;
  const { site } = useSite();
  const [paging, setPaging] = useState({ current_page: 1, page_size: 10 });
  const revisions = useApi(
    'listSiteRevisions',
    { params: { id: site.id }, query: paging },
    { keepPrevious: true },
  );
  const [target, setTarget] = useState<SiteRevision | null>(null);
  return (
    <Card>
      <Box sx={{ p: 3, pb: 2 }}>
        <SectionHeading title={t.title} hint={t.hint} />
        <SiteVersionTools />
      </Box>
      <Loaded read={revisions}>
        {(page) => (
          <>
            {page.list.map((revision, index) => (
              <RevisionRow
                key={revision.id}
                revision={revision}
                current={page.current_page === 1 && index === 0}
                onRollback={() => setTarget(revision)}
              />
            ))}
            <TablePager
              page={page}
              onPage={(change) => setPaging({ ...paging, current_page: 1, ...change })}
            />
          </>
        )}
      </Loaded>
      {target && <SiteRollback target={target} onClose={() => setTarget(null)} />}
    </Card>
  );
}

function RevisionRow({
  revision,
  current,
  onRollback,
}: {
  revision: SiteRevision;
  current: boolean;
  onRollback: () => void;
}) {
  const t = useText(siteText).revisions;
  const { denied } = useSite();
  return (
    <Accordion
      disableGutters
      square
      elevation={0}
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
            pr: 2,
          }}
        >
          <Typography variant="subtitle2" sx={{ minWidth: 72 }}>
            {t.version(revision.version)}
          </Typography>
          <Typography variant="body2" sx={{ flex: '1 1 140px' }}>
            {t.sections[revision.section]}
            <Typography component="span" variant="body2" sx={{ color: 'text.secondary', ml: 1 }}>
              {t.changes(revision.diff.length)}
            </Typography>
          </Typography>
          {current && <Chip size="small" color="primary" variant="outlined" label={t.current} />}
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {revision.author_name || t.authors[revision.author_type]}
          </Typography>
          <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
            <Time at={revision.created_at} />
          </Typography>
        </Stack>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 3, pb: 3 }}>
        {revision.diff.length === 0 ? (
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t.noChanges}
          </Typography>
        ) : (
          <DiffView entries={revision.diff} />
        )}
        {!current && (
          <Box sx={{ mt: 2 }}>
            <ActionButton
              icon="rollback"
              variant="outlined"
              color="inherit"
              onClick={onRollback}
              disabledReason={denied}
            >
              {t.rollback}
            </ActionButton>
          </Box>
        )}
      </AccordionDetails>
    </Accordion>
  );
}
