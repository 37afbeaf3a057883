import {
  consoleSettingRoutes,
  logPrivacyRoutes,
  retentionRoutes,
  siteSettingRoutes,
} from '@breakwater/contract';
import { implement } from '../../plugins/implement.ts';
import {
  readConsoleSetting,
  readLogPrivacy,
  readRetention,
  readSiteSetting,
  writeConsoleSetting,
  writeLogPrivacy,
  writeRetention,
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

export const retentionModule = implement(retentionRoutes, {
  getRetention: ({ services }) => readRetention(services.db),
  updateRetention: async ({ services, body }) => {
    await writeRetention(services.db, body);
    return body;
  },
});
