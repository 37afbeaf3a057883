import type { SiteRevision } from '@breakwater/contract';
import { Box, Card } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { SectionHeading } from '../../../kit/page.tsx';
import { TablePager } from '../../../kit/table/table-pager.tsx';
import { usePaging } from '../../../kit/table/use-paging.ts';
import { RevisionRow } from './revision-row.tsx';
import { useSite } from '../context.tsx';
import { SiteRollback } from './rollback.tsx';
import { SiteVersionTools } from './tools.tsx';
import { siteText } from '../site.text.ts';

/** The history of a site's configuration; every change is a version, which the site can go back to. */
export function SiteRevisions() {
  const t = useText(siteText).revisions;
  const { site, denied } = useSite();
  const [paging, onPage] = usePaging('site-revisions');
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
                title={t.sections[revision.section]}
                author={revision.author_name || t.authors[revision.author_type]}
                // Newest first: what nodes have now is the first of the first page.
                current={page.current_page === 1 && index === 0}
                restore={{ label: t.rollback, onClick: () => setTarget(revision), disabledReason: denied }}
              />
            ))}
            <TablePager page={page} isOlder={revisions.isPlaceholderData} onPage={onPage} />
          </>
        )}
      </Loaded>
      {target && <SiteRollback target={target} onClose={() => setTarget(null)} />}
    </Card>
  );
}
