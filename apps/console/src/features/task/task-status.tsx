import { deliveryTaskTypes, type Task, type TaskStatus, type TaskType } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { taskText } from './task.text.ts';

/** Yellow for what somebody ended: it is neither done nor failed. */
const tones: Record<TaskStatus, Tone> = {
  pending: 'neutral',
  running: 'info',
  done: 'success',
  failed: 'error',
  cancelled: 'warning',
};

export const isOpen = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'pending' || status === 'running';
/** Its parts end as nodes acknowledge them; no worker does them. */
export const isDelivery = ({ type }: { type: TaskType }): boolean =>
  (deliveryTaskTypes as readonly TaskType[]).includes(type);

/** The state of a task. One that waits for nodes says so: they may be away, and no worker could help. */
export function TaskState({ task }: { task: Pick<Task, 'type' | 'status' | 'cancelling'> }) {
  const t = useText(taskText);
  const waiting = isDelivery(task) && task.status === 'pending' ? t.waitingNode : t.statuses[task.status];
  return (
    <StatusChip
      tone={tones[task.status]}
      label={task.cancelling ? t.cancelling : waiting}
      busy={isOpen(task)}
    />
  );
}
