import { optionalIdText, taskRoutes, taskStatuses, taskTypes, type Task } from '@breakwater/contract';
import { Box, LinearProgress, Link, Typography } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { choices, numberFilter, selectFilter } from '../../frame/filters.ts';
import { listOf } from '../../frame/list.ts';
import { ListTable } from '../../frame/list-table.tsx';
import { useTaskTitle } from '../../domain/task-title.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Page } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { SubTasks } from './sub-tasks.tsx';
import { useTaskActions } from './task-actions.tsx';
import { TaskFigures } from './task-figures.tsx';
import { TaskSchedules } from './task-schedules.tsx';
import { isOpen, TaskState } from './task-status.tsx';
import { taskText } from './task.text.ts';
import { readable } from '../../kit/readable.tsx';

const query = taskRoutes.listTasks.query;
const tasks = listOf('listTasks', query);
export const { firstRead } = tasks;

/** The task whose parts are shown stands in the address too. */
const taskSearch = query.extend({ open: optionalIdText });
function useOpenTask() {
  const [{ open, current_page }, setSearch] = useSearchState(taskSearch);
  // A change of the search begins at the first page; what opens beside the list leaves it where it is.
  const show = (task: Task | null) => setSearch({ open: task?.id, current_page });
  return [open, show] as const;
}

const useColumns = tasks.columns(taskText, (t, column) => [
  { id: 'object', header: t.object, cell: (task) => <Title task={task} /> },
  { id: 'type', header: t.type, cell: (task) => t.types[task.type] },
  { id: 'status', header: t.status, cell: (task) => <TaskState task={task} />, whole: true },
  { id: 'progress', header: t.progress, width: 150, cell: (task) => <Progress task={task} /> },
  column.text('created_by', t.by),
  column.time('created_at', t.created, { relative: true }),
  column.time('finished_at', t.finished, { relative: true }),
]);

/** Work that outlasts a request: changes on their way to nodes, batches, exports. A link can open one of them. */
export function TaskList() {
  const t = useText(taskText);
  const titleOf = useTaskTitle();
  const [open, show] = useOpenTask();
  // Read by itself: a task from a link need not be on the page that is shown.
  const shown = useApi(
    'getTask',
    { params: { id: open ?? 0 } },
    { enabled: open !== undefined, refetchInterval: (last) => (last && isOpen(last) ? 2000 : false) },
  ).data;
  const actions = useTaskActions();
  const [schedules, setSchedules] = useState(false);
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <ActionButton icon="calendar" variant="outlined" color="inherit" onClick={() => setSchedules(true)}>
            {t.schedules.title}
          </ActionButton>
          {actions.removal}
        </>
      }
    >
      <TaskFigures />
      <ListTable
        id="tasks"
        list={tasks.use({ refetchInterval: (last) => (last?.list.some(isOpen) ? 2000 : 10_000) })}
        text={t}
        icon="task"
        columns={useColumns()}
        filters={[
          selectFilter('status', t.status, choices(taskStatuses, t.statuses)),
          selectFilter('type', t.type, choices(taskTypes, t.types)),
          numberFilter('object_id', t.objectId),
        ]}
        rowName={titleOf}
        onRowClick={show}
        rowActions={actions.actionsFor}
      />
      {open !== undefined && shown && (
        <SubTasks task={shown} actions={actions.actionsFor(shown)} onClose={() => show(null)} />
      )}
      {schedules && <TaskSchedules onClose={() => setSchedules(false)} />}
      {actions.dialogs}
    </Page>
  );
}

function Title({ task }: { task: Task }) {
  const [, show] = useOpenTask();
  const titleOf = useTaskTitle();
  return (
    <Link
      component="button"
      type="button"
      onClick={() => show(task)}
      sx={{
        display: 'block',
        maxWidth: '100%',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        fontWeight: 600,
      }}
    >
      {readable(titleOf(task))}
    </Link>
  );
}

/** As the states have them, for a bar. */
const colours = {
  pending: 'info',
  running: 'info',
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
} as const satisfies Record<Task['status'], string>;

function Progress({ task: { done, failed, total, status } }: { task: Task }) {
  // Nothing to do is all done.
  const share = total === 0 ? 100 : ((done + failed) / total) * 100;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 110 }}>
      <LinearProgress
        variant="determinate"
        value={share}
        color={colours[status]}
        sx={{ flex: 1, height: 5, borderRadius: 3 }}
        aria-label={`${done + failed}/${total}`}
      />
      <Typography variant="caption">
        {done}/{total}
      </Typography>
    </Box>
  );
}
