import type { Task } from '@breakwater/contract';
import { TextField, Typography } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { useApi } from '../../api/query.ts';
import { useAsking } from '../../frame/asking.tsx';
import { useRowAction } from '../../frame/row-action.ts';
import { useDenial } from '../../frame/denial.ts';
import { useTaskTitle } from '../../domain/task-title.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { toLocalInput } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { isDelivery, isOpen } from './task-status.tsx';
import { taskText } from './task.text.ts';

/** What can be done with tasks, and the dialogs of it. */
export function useTaskActions() {
  const t = useText(taskText);
  const denial = useDenial();
  const titleOf = useTaskTitle();
  // The moment it was asked, so that the day that is offered stays the same while the question is open.
  const [removeAt, setRemoveAt] = useState<number | null>(null);
  const retry = useRowAction('retryTask', {
    label: t.retry,
    icon: 'refresh',
    argumentsOf: ({ id }: Task) => ({ params: { id } }),
    onDone: ({ parts }) => notify.success(t.retryDone(parts)),
  });
  const cancel = useAsking<Task>('cancelTask', {
    label: t.cancel,
    icon: 'close',
    title: t.cancelTitle,
    body: (task) => t.cancelBody(titleOf(task)),
    done: t.cancelDone,
  });
  const actionsFor = (task: Task): RowAction[] => [
    // Parts that failed, or were not done as somebody ended the task.
    retry.action(task, task.failed === 0 && task.status !== 'cancelled' && t.notFailed),
    // What was changed is to reach the nodes: its tasks cannot be ended.
    cancel.action(task, isDelivery(task) ? t.notCancellable : !isOpen(task) && t.over),
  ];
  return {
    actionsFor,
    removal: (
      <ActionButton
        icon="delete"
        variant="outlined"
        color="inherit"
        onClick={() => setRemoveAt(Date.now())}
        disabledReason={denial('removeTasks')}
      >
        {t.remove}
      </ActionButton>
    ),
    dialogs: (
      <>
        {cancel.dialog}
        {removeAt !== null && <Removal now={removeAt} onClose={() => setRemoveAt(null)} />}
      </>
    ),
  };
}

const dayMs = 86_400_000;
const dayOf = (time: number): string => toLocalInput(new Date(time).toISOString()).slice(0, 10);

/** The end of a day of the reader's zone. */
function endOf(day: string): Date {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end;
}

/** Deletes tasks that ended before a day. The server does it as a task of its own. */
function Removal({ now, onClose }: { now: number; onClose: () => void }) {
  const t = useText(taskText);
  const kit = useText(kitText);
  const remove = useChange('removeTasks');
  const [day, setDay] = useState(() => dayOf(now - 30 * dayMs));
  // Of today what had ended as it was asked: what ends while one reads is not counted.
  const isDay = day !== '';
  const before = new Date(isDay ? Math.min(endOf(day).getTime(), now) : now).toISOString();
  const over = useApi('listTasks', { query: { finished_before: before, page_size: 1 } }, { enabled: isDay });
  const total = isDay ? over.data?.total : undefined;
  return (
    <Confirm
      title={t.removeTitle}
      body={
        <>
          {t.removeBody}
          <TextField
            type="date"
            margin="normal"
            label={t.removeDay}
            value={day}
            onChange={(event) => setDay(event.target.value)}
            slotProps={{
              inputLabel: { shrink: true },
              htmlInput: { max: dayOf(now), required: true },
            }}
          />
          <Typography role="status">
            {total === undefined ? (isDay ? kit.loading : '') : t.removeCount(total)}
          </Typography>
        </>
      }
      action={kit.remove}
      // History of everything, and nothing brings it back.
      typed={kit.remove}
      onConfirm={async () => {
        // The dialog shows why: without the number nobody knows what would be deleted.
        if (total === undefined) throw new Error(over.error?.message ?? (isDay ? kit.loading : t.removeDay));
        try {
          await remove.mutateAsync({ query: { before, expected_total: total } });
          notify.success(t.removeDone);
        } finally {
          // Refused because there were more or fewer by then, it is asked again with the new number.
          void over.refetch();
        }
      }}
      onClose={onClose}
    />
  );
}
