import {
  accountLimitRoutes,
  accountLimitSettings,
  allows,
  consoleSettingRoutes,
  consoleSettings,
  logPrivacyRoutes,
  logPrivacySettings,
  logRetentionSettings,
  logShippingSettings,
  retentionRoutes,
  retentionSettings,
  settingRoutes,
  sitePortSettings,
  siteSettingRoutes,
  siteSettings,
  type Setting,
} from '@breakwater/contract';
import { isoOrNull } from '../../db/page.ts';
import { implement } from '../../plugins/implement.ts';
import { holderOf } from '../../plugins/session.ts';
import type { JsonValue } from '@breakwater/contract/json-diff';
import { reads, writes } from './setting.service.ts';
import { presentSetting, settingTimes } from './setting.store.ts';

const everySetting: readonly Setting[] = [
  consoleSettings,
  siteSettings,
  sitePortSettings,
  retentionSettings,
  accountLimitSettings,
  logPrivacySettings,
  logShippingSettings,
  logRetentionSettings,
];

export const settingModule = implement(settingRoutes, {
  getSettings: async ({ services: { db }, session }) => {
    const times = await settingTimes(db);
    const readable = everySetting.filter(({ readBy }) => allows(readBy, holderOf(session)));
    const list = readable.map(async (setting) => ({
      key: setting.key,
      ...((await presentSetting(db, setting)) as { version: number; value: JsonValue }),
      updated_at: isoOrNull(times.get(setting.key) ?? null),
    }));
    return { list: await Promise.all(list) };
  },
});

export const consoleSettingModule = implement(consoleSettingRoutes, {
  getConsoleSetting: reads(consoleSettings),
  updateConsoleSetting: writes(consoleSettings),
});

export const siteSettingModule = implement(siteSettingRoutes, {
  getSiteSetting: reads(siteSettings),
  updateSiteSetting: writes(siteSettings),
});

export const logPrivacyModule = implement(logPrivacyRoutes, {
  getLogPrivacy: reads(logPrivacySettings),
  updateLogPrivacy: writes(logPrivacySettings),
});

export const retentionModule = implement(retentionRoutes, {
  getRetention: reads(retentionSettings),
  updateRetention: writes(retentionSettings),
});

export const accountLimitModule = implement(accountLimitRoutes, {
  getAccountLimits: reads(accountLimitSettings),
  updateAccountLimits: writes(accountLimitSettings),
});
