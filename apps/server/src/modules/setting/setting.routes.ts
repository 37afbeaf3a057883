import { consoleSettingRoutes, logPrivacyRoutes, siteSettingRoutes } from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  readConsoleSetting,
  readLogPrivacy,
  readSiteSetting,
  writeConsoleSetting,
  writeLogPrivacy,
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

export const logPrivacyModule = implement(logPrivacyRoutes, {
  getLogPrivacy: ({ services }) => readLogPrivacy(services.db),
  updateLogPrivacy: async ({ services, body }) => {
    await writeLogPrivacy(services.db, body);
    return body;
  },
});
