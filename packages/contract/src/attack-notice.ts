import * as z from 'zod';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

const minutes = (max: number) => z.int().min(1).max(max);

/** When it is told that a site is attacked: at the beginning, now and then while it goes on, and at the end. */
export const attackNotice = z.strictObject({
  enabled: z.boolean().default(true),
  /** Attack requests (blocked or observed) to one site within the window from which on it is attacked. */
  requests: z.int().min(1).max(10_000_000).default(500),
  window_minutes: minutes(60).default(5),
  /** It is over when for so long there was less than half of that. */
  quiet_minutes: minutes(1440).default(15),
  /** While it goes on it is told again after so long. */
  repeat_minutes: minutes(10_080).default(60),
});
export type AttackNotice = z.infer<typeof attackNotice>;

export const attackNoticeSettings = defineSetting('attack_notice', {
  schema: attackNotice,
  initial: {},
  about: 'Notices of attacks on sites: from how many requests on, and how often',
  readBy: settingReaders,
  permission: 'setting.waf',
});

export const attackNoticeRoutes = defineRoutes({
  getAttackNotice: attackNoticeSettings.read,
  updateAttackNotice: attackNoticeSettings.write,
});
