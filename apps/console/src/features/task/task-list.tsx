import { optionalIdText, taskRoutes, taskStatuses, taskTypes, type Task } from '@breakwater/contract';
import { Box, LinearProgress, Link, Typography } from '@mui/material';
import { useCallback, useMemo, useState } from 'react';
import { firstPageOf } from '../../api/first-read.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DataTable, type Column } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { Page } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { Time } from '../../kit/time.tsx';
import { SubTasks } from './sub-tasks.tsx';
import { useTaskActions } from './task-actions.tsx';
import { TaskFigures } from './task-figures.tsx';
import { TaskSchedules } from './task-schedules.tsx';
import { isOpen, TaskState } from './task-status.tsx';
import { taskText } from './task.text.ts';

const taskSearch = taskRoutes.listTasks.query.extend({
  /** The task whose parts are shown. */
  open: optionalIdText,
});

export const firstRead = firstPageOf('listTasks', taskRoutes.listTasks.query);

export function TaskList() {
  const t = useText(taskText);
  const [{ open, ...search }, setSearch] = useSearchState(taskSearch);
  const tasks = useApi(
    'listTasks',
    { query: search },
    {
      keepPrevious: true,
      refetchInterval: (last) => (last?.list.some(isOpen) ? 2000 : 10_000),
    },
  );
  const shown = useApi(
    'getTask',
    { params: { id: open ?? 0 } },
    { enabled: open !== undefined, refetchInterval: (last) => (last && isOpen(last) ? 2000 : false) },
  ).data;
  const actions = useTaskActions();
  const [schedules, setSchedules] = useState(false);
  const page = search.current_page;
  const show = useCallback(
    (task: Task | null) => setSearch({ open: task?.id, current_page: page }),
    [setSearch, page],
  );
  const columns = useMemo<Column<Task>[]>(
    () => [
      {
        id: 'object',
        header: t.object,
        cell: (task) => (
          <Link
            component="button"
            type="button"
            onClick={() => show(task)}
            sx={{ fontWeight: 600, textAlign: 'left', overflowWrap: 'anywhere' }}
          >
            {task.title}
          </Link>
        ),
      },
      { id: 'type', header: t.type, cell: (task) => t.types[task.type] },
      {
        id: 'status',
        header: t.status,
        cell: (task) => <TaskState task={task} />,
      },
      { id: 'progress', header: t.progress, width: 150, cell: (task) => <Progress task={task} /> },
      { id: 'by', header: t.by, cell: (task) => task.created_by || '–' },
      { id: 'created', header: t.created, cell: (task) => <Time at={task.created_at} /> },
      { id: 'finished', header: t.finished, cell: (task) => <Time at={task.finished_at} /> },
    ],
    [t, show],
  );
  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <>
          <ActionButton icon="calendar" variant="outlined" color="inherit" onClick={() => setSchedules(true)}>
            {t.schedules.title}
          </ActionButton>
          <ActionButton
            icon="delete"
            variant="outlined"
            color="inherit"
            onClick={actions.remove}
            disabledReason={actions.removeDenied}
          >
            {t.remove}
          </ActionButton>
        </>
      }
    >
      <TaskFigures />
      <DataTable
        label={t.title}
        id="tasks"
        columns={columns}
        read={tasks}
        rowKey={(task) => task.id}
        rowName={(task) => task.title}
        onPage={setSearch}
        onRowClick={show}
        rowActions={actions.actionsFor}
        filtered={[search.status, search.type, search.object_id].some((value) => value !== undefined)}
        filters={
          <FilterBar
            values={search}
            onChange={setSearch}
            fields={[
              {
                name: 'status',
                label: t.status,
                kind: 'select',
                inBar: true,
                options: taskStatuses.map((value) => ({ value, label: t.statuses[value] })),
              },
              {
                name: 'type',
                label: t.type,
                kind: 'select',
                inBar: true,
                options: taskTypes.map((value) => ({ value, label: t.types[value] })),
              },
              { name: 'object_id', label: t.objectId, kind: 'number' },
            ]}
          />
        }
        empty={<EmptyState icon="task" title={t.empty} hint={t.emptyHint} />}
      />
      {open !== undefined && shown && (
        <SubTasks task={shown} actions={actions.actionsFor(shown)} onClose={() => show(null)} />
      )}
      {schedules && <TaskSchedules onClose={() => setSchedules(false)} />}
      {actions.dialog}
    </Page>
  );
}

const colours = {
  pending: 'info',
  running: 'info',
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
} as const satisfies Record<Task['status'], string>;

function Progress({ task: { done, failed, total, status } }: { task: Task }) {
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
