import { taskRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { getTask, listSubTasks, listTasks } from './task.store.ts';

export const taskModule = implement(taskRoutes, {
  listTasks: ({ services, query }) => listTasks(services.db, query),
  getTask: ({ services, params }) => getTask(services.db, params.id),
  listSubTasks: ({ services, query }) => listSubTasks(services.db, query),
});
