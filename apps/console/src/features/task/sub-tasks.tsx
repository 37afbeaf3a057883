import type { subTaskStatuses, Task } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { TablePager } from '../../kit/table-pager.tsx';
import { Time } from '../../kit/time.tsx';
import { taskText } from './task.text.ts';

const tones: Record<(typeof subTaskStatuses)[number], Tone> = {
  pending: 'info',
  done: 'success',
  failed: 'error',
  superseded: 'neutral',
};

/** One line for each node and document of a task. */
export function SubTasks({ task, onClose }: { task: Task; onClose: () => void }) {
  const t = useText(taskText);
  const [paging, setPaging] = useState({ current_page: 1, page_size: 20 });
  const parts = useApi(
    'listSubTasks',
    { query: { task_id: task.id, ...paging } },
    { keepPrevious: true, refetchInterval: 2000 },
  );
  return (
    <InfoDrawer title={t.subTasks(task.title)} onClose={onClose}>
      <Loaded read={parts}>
        {(page) =>
          page.list.length === 0 ? (
            <EmptyState icon="node" title={t.noSubTasks} hint={t.noSubTasksHint} />
          ) : (
            <Stack sx={{ gap: 1.5 }}>
              {page.list.map((part) => (
                <Box key={part.id} sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}>
                  <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
                    <Box sx={{ flex: 1 }}>
                      <TextLink target={to.nodeDetail({ id: part.node_id })}>{part.node_name}</TextLink>
                    </Box>
                    <StatusChip
                      tone={tones[part.status]}
                      label={t.subStatuses[part.status]}
                      busy={part.status === 'pending'}
                    />
                  </Stack>
                  <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
                    {part.kind} {part.key} · {t.revision} {part.revision} ·{' '}
                    <Time at={part.finished_at ?? part.created_at} />
                  </Typography>
                  {part.error && (
                    <Alert severity="error" sx={{ mt: 1 }}>
                      {part.error}
                    </Alert>
                  )}
                </Box>
              ))}
              <TablePager
                page={page}
                onPage={(change) => setPaging({ ...paging, current_page: 1, ...change })}
              />
            </Stack>
          )
        }
      </Loaded>
    </InfoDrawer>
  );
}
