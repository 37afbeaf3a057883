import { consoleSettingRoutes, siteSettingRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  readConsoleSetting,
  readSiteSetting,
  writeConsoleSetting,
  writeSiteSetting,
} from './setting.store.ts';

export const consoleSettingModule = implement(consoleSettingRoutes, {
  getConsoleSetting: ({ services }) => readConsoleSetting(services.db),
  updateConsoleSetting: async ({ services, body }) => {
    await writeConsoleSetting(services.db, body);
    return body;
  },
});

export const siteSettingModule = implement(siteSettingRoutes, {
  getSiteSetting: ({ services }) => readSiteSetting(services.db),
  updateSiteSetting: async ({ services, body }) => {
    await writeSiteSetting(services.db, body);
    return body;
  },
});
