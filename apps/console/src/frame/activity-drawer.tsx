import type { EventSubject } from '@breakwater/contract';
import { useMay } from '../api/account.ts';
import { useActivity } from '../api/activity.ts';
import { useText } from '../i18n/text.ts';
import { ActivityDrawer } from '../domain/activity.tsx';
import { activityText } from '../domain/activity.text.ts';
import type { RowAction } from '../kit/row-actions.tsx';
import { useRowDialog } from './row-dialog.tsx';

interface Identified {
  id: number;
}

/** The action that shows what happened to a row, for those who may read it. */
export function useRowActivity<Row extends Identified>(subject: EventSubject, nameOf: (row: Row) => string) {
  const t = useText(activityText);
  const may = useMay()('listActivity');
  const { action, dialog } = useRowDialog<Row>({
    label: t.title,
    icon: 'clock',
    render: (row, close) => <RowActivity subject={subject} id={row.id} name={nameOf(row)} onClose={close} />,
  });
  return { action: (row: Row): RowAction | undefined => (may ? action(row) : undefined), dialog };
}

interface RowActivityProps extends Identified {
  subject: EventSubject;
  name: string;
  onClose: () => void;
}

function RowActivity({ subject, id, name, onClose }: RowActivityProps) {
  return <ActivityDrawer name={name} read={useActivity(subject, id)} onClose={onClose} />;
}
