import type { SiteLevelRevision } from '@breakwater/contract';
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
import { call } from '../../api/client.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SectionHeading } from '../../kit/page.tsx';
import { TablePager } from '../../kit/table-pager.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { levelReads, useLevel } from './section-host.tsx';
import { siteLevelText } from './site-level.text.ts';

export function LevelRevisions() {
  const t = useText(siteLevelText);
  const host = useLevel()!;
  const [paging, setPaging] = useState({ current_page: 1, page_size: 10 });
  const read = useApi(
    'listSiteLevelRevisions',
    { query: { ...host.ref, ...paging } },
    { keepPrevious: true },
  );
  const rollback = useChange('rollbackSiteLevel', levelReads);
  const restore = async ({ id }: SiteLevelRevision) => {
    const body = { revision_id: id };
    try {
      if (!(await host.confirm(await call('previewSiteLevelRollback', { query: host.ref, body })))) return;
      await rollback.mutateAsync({ query: host.ref, body: { ...body, version: host.version } });
      host.onSent();
    } catch (error) {
      notify.error((error as Error).message);
    }
  };
  return (
    <Card>
      <Box sx={{ p: 3, pb: 2 }}>
        <SectionHeading title={t.history} hint={t.historyHint} />
      </Box>
      <Loaded read={read}>
        {(page) =>
          page.total === 0 ? (
            <EmptyState icon="task" title={t.noHistory} hint={t.noHistoryHint} />
          ) : (
            <>
              {page.list.map((revision, index) => (
                <Row
                  key={revision.id}
                  revision={revision}
                  current={page.current_page === 1 && index === 0}
                  onRestore={() => void restore(revision)}
                />
              ))}
              <TablePager
                page={page}
                onPage={(change) => setPaging({ ...paging, current_page: 1, ...change })}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

interface RowProps {
  revision: SiteLevelRevision;
  current: boolean;
  onRestore: () => void;
}

function Row({ revision, current, onRestore }: RowProps) {
  const t = useText(siteLevelText);
  const host = useLevel()!;
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
          </Typography>
          {current && <Chip size="small" color="primary" variant="outlined" label={t.current} />}
          <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
            {revision.author_name} <Time at={revision.created_at} />
          </Typography>
        </Stack>
      </AccordionSummary>
      <AccordionDetails sx={{ px: 3, pb: 3 }}>
        <DiffView entries={revision.diff} />
        {!current && (
          <Box sx={{ mt: 2 }}>
            <ActionButton
              icon="rollback"
              variant="outlined"
              color="inherit"
              onClick={onRestore}
              disabledReason={host.denied}
            >
              {t.rollback}
            </ActionButton>
          </Box>
        )}
      </AccordionDetails>
    </Accordion>
  );
}
