import type { EventSubject } from '@breakwater/contract';
import { useMay } from '../api/account.ts';
import { useActivity } from '../api/activity.ts';
import { useText } from '../i18n/text.ts';
import { ActivityCard, ActivityDrawer } from '../domain/activity.tsx';
import { activityText } from '../domain/activity.text.ts';
import type { RowAction } from '../kit/row-actions.tsx';
import type { TabPage } from '../kit/url-tabs.tsx';
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

/** The tab of a detail page that shows what happened to its object, for those who may read it. */
export function useActivityTab(subject: EventSubject): (id: number) => readonly TabPage[] {
  const t = useText(activityText);
  const may = useMay()('listActivity');
  return (id) =>
    may ? [{ id: 'activity', label: t.title, content: () => <ActivityTab subject={subject} id={id} /> }] : [];
}

function ActivityTab({ subject, id }: Identified & { subject: EventSubject }) {
  return <ActivityCard read={useActivity(subject, id)} />;
}
