import type { SubTask, SubTaskStatus, Task } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useTaskTitle } from '../../domain/task-title.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { TablePager } from '../../kit/table/table-pager.tsx';
import { Time } from '../../kit/time.tsx';
import { usePaging } from '../../kit/table/use-paging.ts';
import { isOpen, TaskState } from './task-status.tsx';
import { taskText } from './task.text.ts';

/** `superseded`: a newer revision reached the node first, so that nothing is missing. */
const tones: Record<SubTaskStatus, Tone> = {
  pending: 'neutral',
  running: 'info',
  done: 'success',
  unchanged: 'neutral',
  failed: 'error',
  superseded: 'neutral',
  cancelled: 'warning',
};

interface SubTasksProps {
  task: Task;
  actions: readonly RowAction[];
  onClose: () => void;
}

/** What became of a task, part by part. */
export function SubTasks({ task, actions, onClose }: SubTasksProps) {
  const t = useText(taskText);
  const titleOf = useTaskTitle();
  const [paging, onPage] = usePaging('sub-tasks', 20);
  const parts = useApi(
    'listSubTasks',
    { query: { task_id: task.id, ...paging } },
    { keepPrevious: true, refetchInterval: isOpen(task) ? 2000 : false },
  );
  return (
    <InfoDrawer title={t.subTasks(titleOf(task))} onClose={onClose}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap', mb: 2 }}>
        <TaskState task={task} />
        <Typography variant="body2" sx={{ flex: 1, color: 'text.secondary' }}>
          {t.types[task.type]} · {task.done}/{task.total}
        </Typography>
        {actions.map(({ label, icon, onClick, disabledReason }) => (
          <ActionButton
            key={label}
            icon={icon}
            size="small"
            variant="outlined"
            color="inherit"
            onClick={onClick}
            disabledReason={disabledReason}
          >
            {label}
          </ActionButton>
        ))}
      </Stack>
      <Typography variant="body2" component="div" sx={{ mb: 2, '&:empty': { display: 'none' } }}>
        {/* Screens of their own say more of these than a list of parts. */}
        {task.type === 'site_batch' && (
          <TextLink target={to.siteBatchDetail({ id: task.id })}>{t.openBatch}</TextLink>
        )}
        {task.type === 'data_export' && <TextLink target={to.dataExports()}>{t.openExports}</TextLink>}
      </Typography>
      <Loaded read={parts}>
        {(page) =>
          page.list.length === 0 ? (
            <EmptyState icon="node" title={t.noSubTasks} hint={t.noSubTasksHint} />
          ) : (
            <Stack sx={{ gap: 1.5 }}>
              {page.list.map((part) => (
                <Part key={part.id} part={part} />
              ))}
              <TablePager page={page} isOlder={parts.isPlaceholderData} onPage={onPage} />
            </Stack>
          )
        }
      </Loaded>
    </InfoDrawer>
  );
}

function Part({ part }: { part: SubTask }) {
  const t = useText(taskText);
  const delivered: Partial<Record<SubTaskStatus, string>> = {
    pending: t.waitingNode,
    done: t.acknowledged,
    failed: t.refused,
  };
  // Of a document on its way to a node there is more to say than of any other work: it waits for the node, which takes it or not.
  const label = (part.node_id === null ? undefined : delivered[part.status]) ?? t.subStatuses[part.status];
  const name = part.title === '' ? t.part(part.kind, part.key) : part.title;
  return (
    <Box sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {part.node_id === null ? (
            name
          ) : (
            <TextLink target={to.nodeDetail({ id: part.node_id })}>{part.node_name ?? name}</TextLink>
          )}
        </Box>
        <StatusChip
          tone={tones[part.status]}
          label={label}
          busy={part.status === 'pending' || part.status === 'running'}
        />
      </Stack>
      <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {part.node_id !== null && `${name} · `}
        {part.revision !== null && `${t.revision} ${part.revision} · `}
        {part.attempt > 1 && `${t.attempt(part.attempt)} · `}
        {part.next_at === null ? (
          <Time at={part.finished_at ?? part.created_at} />
        ) : (
          <>
            {t.nextTry} <Time at={part.next_at} relative />
          </>
        )}
      </Typography>
      {part.error && (
        <Alert severity="error" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {part.error}
        </Alert>
      )}
    </Box>
  );
}
