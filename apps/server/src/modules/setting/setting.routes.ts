import { consoleSettingRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import { readConsoleSetting, writeConsoleSetting } from './setting.store.ts';

export const consoleSettingModule = implement(consoleSettingRoutes, {
  getConsoleSetting: ({ services }) => readConsoleSetting(services.db),
  updateConsoleSetting: async ({ services, body }) => {
    await writeConsoleSetting(services.db, body);
    return body;
  },
});
