import type { Task } from '@breakwater/contract';
import { useText } from '../i18n/text.ts';
import { taskTitleText } from './task-title.text.ts';

/** What a task is about, for people: the server has a word of its own where that is no name. */
export function useTaskTitle(): (task: Pick<Task, 'type' | 'title'>) => string {
  const t = useText(taskTitleText);
  return ({ type, title }) => {
    if (type === 'site_level_update' && title === 'global') return t.global;
    return type === 'ip_data_update' && title in t.parts ? t.parts[title as keyof typeof t.parts] : title;
  };
}
