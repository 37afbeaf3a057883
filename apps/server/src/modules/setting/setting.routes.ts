import {
  accountLimitRoutes,
  accountLimitSettings,
  allows,
  attackNoticeRoutes,
  attackNoticeSettings,
  consoleSettingRoutes,
  consoleSettings,
  filingSettings,
  floodSettings,
  httpFilterSettings,
  logPrivacyRoutes,
  logPrivacySettings,
  logRetentionSettings,
  logShippingSettings,
  platformHttpsRoutes,
  platformHttpsSettings,
  retentionRoutes,
  retentionSettings,
  settingRoutes,
  sitePortSettings,
  siteSettingRoutes,
  siteSettings,
  vulnerabilitySettings,
  wafSettings,
  type Setting,
} from '@breakwater/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { invalid } from '../../api-error.ts';
import { isoOrNull } from '../../db/page.ts';
import { certificate } from '../../db/schema.ts';
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
  platformHttpsSettings,
  wafSettings,
  vulnerabilitySettings,
  attackNoticeSettings,
  floodSettings,
  httpFilterSettings,
  filingSettings,
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

export const attackNoticeModule = implement(attackNoticeRoutes, {
  getAttackNotice: reads(attackNoticeSettings),
  updateAttackNotice: writes(attackNoticeSettings),
});

export const platformHttpsModule = implement(platformHttpsRoutes, {
  getPlatformHttps: reads(platformHttpsSettings),
  updatePlatformHttps: writes(platformHttpsSettings, async (tx, { certificate_id: id }) => {
    if (id === null) return;
    // Whoever deletes one locks it first, and looks at this setting then.
    const where = and(eq(certificate.id, id), isNull(certificate.clientId));
    const found = await tx.select({ id: certificate.id }).from(certificate).where(where).for('share');
    if (found.length === 0) throw invalid('value.certificate_id', 'does_not_exist');
  }),
});
