import {
  consoleSetting,
  consoleSettingDefault,
  logPrivacy,
  logPrivacyDefault,
  logRetention,
  retention,
  sitePortDefault,
  sitePortSetting,
  siteSetting,
  type ConsoleSetting,
  type LogPrivacy,
  type LogRetention,
  type Retention,
  type SitePortSetting,
  type SiteSetting,
} from '@breakwater/contract';
import { eq } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { setting } from '../../db/schema.ts';

/** Settings of the platform, one row each. A missing one has its default. */
export async function readLogRetention(db: Db): Promise<LogRetention> {
  return logRetention.parse((await read(db, 'log_retention')) ?? { record_days: 30, rollup_days: 400 });
}

export async function writeLogRetention(db: Db, value: LogRetention): Promise<void> {
  await write(db, 'log_retention', value);
}

export async function readLogPrivacy(db: Db): Promise<LogPrivacy> {
  return logPrivacy.parse((await read(db, 'log_privacy')) ?? logPrivacyDefault);
}

export async function writeLogPrivacy(db: Db, value: LogPrivacy): Promise<void> {
  await write(db, 'log_privacy', value);
}

export async function readRetention(db: Db): Promise<Retention> {
  return retention.parse((await read(db, 'retention')) ?? {});
}

export async function writeRetention(db: Db, value: Retention): Promise<void> {
  await write(db, 'retention', value);
}

export async function readConsoleSetting(db: Db): Promise<ConsoleSetting> {
  return consoleSetting.parse((await read(db, 'console')) ?? consoleSettingDefault);
}

export async function writeConsoleSetting(db: Db, value: ConsoleSetting): Promise<void> {
  await write(db, 'console', value);
}

export async function readSiteSetting(db: Db): Promise<SiteSetting> {
  return siteSetting.parse((await read(db, 'site')) ?? {});
}

export async function writeSiteSetting(db: Db, value: SiteSetting): Promise<void> {
  await write(db, 'site', value);
}

export async function readSitePortSetting(db: Pick<Db, 'select'>): Promise<SitePortSetting> {
  return sitePortSetting.parse((await read(db, 'site_port')) ?? sitePortDefault);
}

export async function writeSitePortSetting(db: Db, value: SitePortSetting): Promise<void> {
  await write(db, 'site_port', value);
}

/** As it is stored; absent while nothing was set. */
export const readLogShippingRow = (db: Pick<Db, 'select'>): Promise<unknown> => read(db, 'log_shipping');
export const writeLogShippingRow = (db: Db, value: unknown): Promise<void> =>
  write(db, 'log_shipping', value);

/** The order that an administrator's new site goes to when none is named. */
export async function readDefaultOrderId(db: Db): Promise<number | undefined> {
  const value = await read(db, 'default_order_id');
  return typeof value === 'number' ? value : undefined;
}

export async function writeDefaultOrderId(db: Db, orderId: number): Promise<void> {
  await write(db, 'default_order_id', orderId);
}

async function read(db: Pick<Db, 'select'>, key: string): Promise<unknown> {
  const [row] = await db.select().from(setting).where(eq(setting.key, key));
  return row?.value;
}

async function write(db: Db, key: string, value: unknown): Promise<void> {
  await db
    .insert(setting)
    .values({ key, value })
    .onConflictDoUpdate({ target: setting.key, set: { value, updatedAt: new Date() } });
}
