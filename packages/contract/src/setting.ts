import * as z from 'zod';
import { dateTime, integerMax } from './common.ts';
import { defineRoutes } from './define.ts';
import type { Access, Permission } from './permissions.ts';
import { shown } from './secret.ts';

/**
 * A setting of the platform: one value under a key. From its definition follow where it is stored, its version, what is
 * read and written over the API, and that its secrets stay (`apps/server/src/modules/setting/setting.store.ts`).
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  key: string;
  schema: Schema;
  /** What is in effect until it is first saved. */
  initial: z.input<Schema>;
  readBy: Access;
}

interface Definition<Schema extends z.ZodType, ReadBy extends Access, Write extends Permission> {
  schema: Schema;
  initial: z.input<Schema>;
  /** What it sets, as the end of "Change …". */
  about: string;
  readBy: ReadBy;
  permission: Write;
  bodyBytesMax?: number;
}

/** A setting with its two routes, which the entity's `defineRoutes` takes under names of their own. */
export function defineSetting<
  const Key extends string,
  Schema extends z.ZodType,
  const ReadBy extends Access,
  const Write extends Permission,
>(key: Key, definition: Definition<Schema, ReadBy, Write>) {
  const { schema, initial, about, readBy, permission, bodyBytesMax } = definition;
  const path = `/prod-api/setting/${key}` as const;
  const response = z.strictObject({ version: settingVersion, value: shown(schema) });
  return {
    key,
    schema,
    initial,
    readBy,
    read: {
      method: 'GET',
      path,
      summary: `Get ${about[0]!.toLowerCase()}${about.slice(1)}.`,
      access: readBy,
      response,
    },
    write: {
      method: 'PUT',
      path,
      summary: `Change ${about[0]!.toLowerCase()}${about.slice(1)}. Send the version the change is based on.`,
      access: { kind: 'admin', permission },
      body: z.strictObject({ version: settingVersion, value: schema }),
      response,
      ...(bodyBytesMax === undefined ? {} : { bodyBytesMax }),
    },
  } as const;
}

/** Grows with every save, from 0 before the first. */
const settingVersion = z.int().min(0).max(integerMax);

/** Which administrators may read most settings. */
export const settingReaders = { kind: 'admin', permission: 'setting.read' } as const;

export const settingRoutes = defineRoutes({
  getSettings: {
    method: 'GET',
    path: '/prod-api/setting',
    summary: 'Get all settings that the caller may read, with their versions.',
    access: settingReaders,
    response: z.strictObject({
      list: z.array(
        z.strictObject({
          key: z.string(),
          version: settingVersion,
          value: z.json(),
          /** Null before it was first saved. */
          updated_at: dateTime.nullable(),
        }),
      ),
    }),
  },
});
