import { taskRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { cancelTask, retryTask, startTaskRemoval } from './task.service.ts';
import { countTasks, getTask, getSchedules, listSubTasks, listTasks } from './task.store.ts';
import { readWork } from './work.store.ts';

export const taskModule = implement(taskRoutes, {
  listTasks: ({ services, query }) => listTasks(services.db, query),
  getTaskStats: async ({ services }) => {
    const { actions: _, ...stats } = await countTasks(services.db);
    return stats;
  },
  getTaskActions: async ({ services }) => ({
    actions: (await countTasks(services.db)).actions,
  }),
  listRunningTasks: ({ services, query }) => listTasks(services.db, { ...query, open: true }),
  getWork: ({ services, scope, session }) => readWork(services.db, scope, session),
  getSchedules: async ({ services }) => ({
    schedules: await getSchedules(services.db, services.jobs.schedules),
  }),
  getTask: ({ services, params }) => getTask(services.db, params.id),
  retryTask: ({ services, session, params }) => retryTask(services, session, params.id),
  cancelTask: ({ services, session, params }) => cancelTask(services, session, params.id),
  removeTasks: ({ services, session, query }) => startTaskRemoval(services, session, query),
  listSubTasks: ({ services, query, language }) => listSubTasks(services.db, query, language),
});
