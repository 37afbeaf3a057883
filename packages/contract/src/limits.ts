import * as z from 'zod';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

/**
 * What one account may ask for, with all its sessions and API tokens together. Every call is a request; some are counted under
 * the name of their `cost` as well.
 */
export const callCosts = ['expensive', 'upload', 'refresh'] as const;
export type CallCost = (typeof callCosts)[number];

const perMinute = z.int().min(10).max(1_000_000);
const perHour = z.int().min(1).max(1_000_000);

export const accountLimits = z.strictObject({
  /** Of each server process. */
  requests_per_minute: perMinute.default(6000),
  /** Statistics, searches of logs, exports, traces of requests: of all servers together, as the rest. */
  expensive_per_minute: perMinute.default(1200),
  uploads_per_hour: perHour.default(600),
  /** What is fetched from somebody else's server, or asked of it. */
  refreshes_per_hour: perHour.default(600),
});
export type AccountLimits = z.infer<typeof accountLimits>;

export const accountLimitSettings = defineSetting('account_limits', {
  schema: accountLimits,
  initial: {},
  about: 'Request limits of an account',
  readBy: settingReaders,
  permission: 'setting.limits',
});

export const accountLimitRoutes = defineRoutes({
  getAccountLimits: accountLimitSettings.read,
  updateAccountLimits: accountLimitSettings.write,
});
