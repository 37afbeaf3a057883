import {
  accountLimitSettings,
  attackNoticeSettings,
  floodSettings,
  consoleSettings,
  filingSettings,
  httpFilterSettings,
  hideSecrets,
  logPrivacySettings,
  logRetentionSettings,
  platformHttpsSettings,
  retentionSettings,
  secretPlaces,
  sitePortSettings,
  vulnerabilitySettings,
  siteSettings,
  wafSettings,
  type Setting,
  type Shown,
} from '@breakwater/contract';
import { eq, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { ApiError } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { setting as settingTable } from '../../db/schema.ts';
import { recordEvent, type Actor } from '../../events/record-event.ts';
import { diffJson } from '@breakwater/contract/json-diff';
import { keepSecrets, maskDiff, putBack, sealValue, withoutSecrets } from '../../secret-values.ts';
import type { Services } from '../../services.ts';

/** Settings of the platform, one row each. A missing one is as it is initially, at version 0. */

type Reader = Pick<Db, 'select'>;

export interface Versioned<Value> {
  version: number;
  value: Value;
}

/** The value in effect. Its secrets are sealed. */
export async function readSetting<Schema extends z.ZodType>(
  db: Reader,
  { key, schema, initial }: Setting<Schema>,
): Promise<Versioned<z.output<Schema>>> {
  const [row] = await db.select().from(settingTable).where(eq(settingTable.key, key));
  const stored = row?.value ?? initial;
  const places = secretPlaces(schema);
  // A secret that is sealed is longer than one that is typed: what stands beside it is judged.
  const value = putBack(schema.parse(withoutSecrets(stored, places)), stored, places);
  return { version: row?.version ?? 0, value };
}

const valueOf =
  <Schema extends z.ZodType>(setting: Setting<Schema>) =>
  async (db: Reader): Promise<z.output<Schema>> =>
    (await readSetting(db, setting)).value;

export const readAccountLimits = valueOf(accountLimitSettings);
export const readConsoleSetting = valueOf(consoleSettings);
export const readLogPrivacy = valueOf(logPrivacySettings);
export const readLogRetention = valueOf(logRetentionSettings);
export const readPlatformHttps = valueOf(platformHttpsSettings);
export const readRetention = valueOf(retentionSettings);
export const readSitePortSetting = valueOf(sitePortSettings);
export const readSiteSetting = valueOf(siteSettings);
export const readHttpFilterSetting = valueOf(httpFilterSettings);
export const readFilingSetting = valueOf(filingSettings);
export const readVulnerabilitySetting = valueOf(vulnerabilitySettings);
export const readWafSetting = valueOf(wafSettings);
export const readAttackNotice = valueOf(attackNoticeSettings);
export const readFloodSetting = valueOf(floodSettings);

/** As it is answered. */
export async function presentSetting<Schema extends z.ZodType>(
  db: Reader,
  setting: Setting<Schema>,
): Promise<Versioned<Shown<z.output<Schema>>>> {
  const { version, value } = await readSetting(db, setting);
  return { version, value: hideSecrets(setting.schema, value) };
}

/** What follows from a setting, in the transaction that saves it. */
export type AfterSave<Value> = (tx: Transaction, value: Value) => Promise<void>;

/** Saves what was built on a version, with the secrets that it keeps. Throws `stale_version` where another one is there. */
export async function saveSetting<Schema extends z.ZodType>(
  { db, secrets }: Pick<Services, 'db' | 'secrets'>,
  actor: Actor,
  setting: Setting<Schema>,
  sent: Versioned<z.output<Schema>>,
  afterSave?: AfterSave<z.output<Schema>>,
): Promise<Versioned<Shown<z.output<Schema>>>> {
  const { key, schema } = setting;
  const places = secretPlaces(schema);
  return db.transaction(async (tx) => {
    const before = await readSetting(tx, setting);
    if (before.version !== sent.version) throw new ApiError('stale_version');
    const value = keepSecrets(sealValue(sent.value, places, secrets), before.value, places);
    const version = before.version + 1;
    // Of two that save at once the second finds the version of the first.
    const rows = await tx
      .insert(settingTable)
      .values({ key, value, version })
      .onConflictDoUpdate({
        target: settingTable.key,
        set: { value, version, updatedAt: new Date() },
        setWhere: sql`${settingTable.version} = ${before.version}`,
      })
      .returning({ version: settingTable.version });
    if (rows.length === 0) throw new ApiError('stale_version');
    const changes = maskDiff(diffJson(before.value, value), places);
    if (changes.length > 0)
      await recordEvent(tx, {
        kind: 'updated',
        subject: { kind: 'setting', name: key },
        actor,
        data: { changes },
      });
    await afterSave?.(tx, value);
    return { version, value: hideSecrets(schema, value) };
  });
}

/** When each was last saved, by key. */
export async function settingTimes(db: Db): Promise<Map<string, Date>> {
  const rows = await db
    .select({ key: settingTable.key, updatedAt: settingTable.updatedAt })
    .from(settingTable);
  return new Map(rows.map(({ key, updatedAt }) => [key, updatedAt]));
}

const defaultOrderKey = 'default_order_id';

/** The order that an administrator's new site goes to when none is named. */
export async function readDefaultOrderId(db: Db): Promise<number | undefined> {
  const [row] = await db.select().from(settingTable).where(eq(settingTable.key, defaultOrderKey));
  return typeof row?.value === 'number' ? row.value : undefined;
}

export async function writeDefaultOrderId(db: Db, value: number): Promise<void> {
  await db.insert(settingTable).values({ key: defaultOrderKey, value });
}
