import type { Task } from '@breakwater/contract';
import { TextField } from '@mui/material';
import { useState } from 'react';
import { useMay } from '../../api/account.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { toLocalInput } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import type { RowAction } from '../../kit/row-actions.tsx';
import { notify } from '../../kit/toast.ts';
import { isDelivery, isOpen } from './task-status.tsx';
import { taskText } from './task.text.ts';

/** What can be done with tasks, and the dialog of what was chosen. */
export function useTaskActions() {
  const t = useText(taskText);
  const kit = useText(kitText);
  const may = useMay();
  const retry = useChange('retryTask');
  const [open, setOpen] = useState<{ cancel: Task } | { removeAt: number } | null>(null);
  const actionsFor = (task: Task): RowAction[] => [
    {
      label: t.retry,
      icon: 'refresh',
      onClick: () =>
        retry.mutate(
          { params: { id: task.id } },
          {
            onSuccess: ({ parts }) => notify.success(t.retryDone(parts)),
            onError: (error) => notify.error(error.message),
          },
        ),
      disabledReason: !may('retryTask')
        ? kit.noPermission
        : task.failed === 0 && task.status !== 'cancelled'
          ? t.notFailed
          : undefined,
    },
    {
      label: t.cancel,
      icon: 'close',
      onClick: () => setOpen({ cancel: task }),
      disabledReason: !may('cancelTask')
        ? kit.noPermission
        : isDelivery(task)
          ? t.notCancellable
          : isOpen(task)
            ? undefined
            : t.over,
    },
  ];
  const close = () => setOpen(null);
  return {
    actionsFor,
    remove: () => setOpen({ removeAt: Date.now() }),
    removeDenied: may('removeTasks') ? undefined : kit.noPermission,
    dialog:
      open === null ? null : 'removeAt' in open ? (
        <Removal now={open.removeAt} onClose={close} />
      ) : (
        <Cancelling task={open.cancel} onClose={close} />
      ),
  };
}

function Cancelling({ task, onClose }: { task: Task; onClose: () => void }) {
  const t = useText(taskText);
  const cancel = useChange('cancelTask');
  return (
    <Confirm
      title={t.cancelTitle}
      body={t.cancelBody(task.title)}
      action={t.cancel}
      onConfirm={async () => {
        await cancel.mutateAsync({ params: { id: task.id } });
        notify.success(t.cancelDone);
      }}
      onClose={onClose}
    />
  );
}

const dayMs = 86_400_000;
const dayOf = (time: number): string => toLocalInput(new Date(time).toISOString()).slice(0, 10);

/** The end of a day of the reader's zone. */
function endOf(day: string): Date {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end;
}

function Removal({ now, onClose }: { now: number; onClose: () => void }) {
  const t = useText(taskText);
  const kit = useText(kitText);
  const remove = useChange('removeTasks');
  const [day, setDay] = useState(() => dayOf(now - 30 * dayMs));
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
        </>
      }
      action={kit.remove}
      typed={kit.remove}
      onConfirm={async () => {
        await remove.mutateAsync({ query: { before: endOf(day).toISOString() } });
        notify.success(t.removeDone);
      }}
      onClose={onClose}
    />
  );
}
