import type { SiteLevelRevision } from '@breakwater/contract';
import { Box, Card } from '@mui/material';
import { useChange } from '../../../api/change.ts';
import { call } from '../../../api/client.ts';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Loaded } from '../../../kit/loaded.tsx';
import { SectionHeading } from '../../../kit/page.tsx';
import { TablePager } from '../../../kit/table/table-pager.tsx';
import { notify } from '../../../kit/toast.ts';
import { usePaging } from '../../../kit/table/use-paging.ts';
import { RevisionRow } from '../version/revision-row.tsx';
import { useLevel } from '../section/host.tsx';
import { siteLevelText } from './level.text.ts';

/** The versions of a level, and going back to one of them: of the whole level, after its effect on sites was confirmed. */
export function LevelRevisions() {
  const t = useText(siteLevelText);
  const host = useLevel()!;
  const [paging, onPage] = usePaging('level-revisions');
  const read = useApi(
    'listSiteLevelRevisions',
    { query: { ...host.ref, ...paging } },
    { keepPrevious: true },
  );
  const rollback = useChange('rollbackSiteLevel');
  const restore = async ({ id }: SiteLevelRevision) => {
    const body = { revision_id: id };
    try {
      // The version that was shown goes with it: a change by somebody else in between is refused, not undone unseen.
      if (!(await host.confirm(await call('previewSiteLevelRollback', { query: host.ref, body })))) return;
      const saved = await rollback.mutateAsync({
        query: host.ref,
        body: { ...body, version: host.version },
      });
      host.onSent(saved.version > host.version ? host.undoOf(saved.version) : undefined, saved.version);
    } catch (error) {
      notify.refused((error as Error).message);
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
            <EmptyState icon="rollback" title={t.noHistory} hint={t.noHistoryHint} />
          ) : (
            <>
              {page.list.map((revision, index) => (
                <RevisionRow
                  key={revision.id}
                  revision={revision}
                  title={t.sections[revision.section]}
                  author={revision.author_name}
                  current={page.current_page === 1 && index === 0}
                  restore={{
                    label: t.rollback,
                    onClick: () => void restore(revision),
                    disabledReason: host.denied,
                  }}
                />
              ))}
              <TablePager page={page} isOlder={read.isPlaceholderData} onPage={onPage} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
