import * as z from 'zod';
import { id, inputText, ipOrCidr } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';
import { banSeconds } from './ban-network.ts';

/** A page to ask at, or an e-mail address. */
const objection = inputText()
  .trim()
  .max(300)
  .refine(
    (text) =>
      text === '' ||
      z.url({ protocol: /^https?$/ }).safeParse(text).success ||
      z.email().safeParse(text).success,
    { error: 'ban_objection' },
  );

/** How bans work, and whom none is for. */
export const wafSetting = z.strictObject({
  /** Each further time within the window a ban by a rule lasts so many times as long; 1: always as long. */
  repeat_factor: z.int().min(1).max(10).default(2),
  repeat_window_seconds: banSeconds.default(86_400),
  /** No ban by a rule is longer. */
  ban_seconds_max: banSeconds.default(604_800),
  /** Monitors, offices, networks that many share: never banned. Nodes and the control plane are not either, by themselves. */
  never_addresses: z.array(ipOrCidr).max(1000).default([]),
  /** Lists of the platform whose addresses are never banned. */
  never_list_ids: z.array(id).max(20).default([]),
  /** Search engines' robots whose addresses are proven to be theirs. */
  never_robots: z.boolean().default(true),
  /** Addresses that are not of the internet: a proxy's before the node, and everybody behind it. */
  never_private: z.boolean().default(true),
  /** Most that stand of one customer at a time. */
  client_bans_max: z.int().min(0).max(50_000).default(10_000),
  /** Shown to banned visitors as the way to object; empty: none is. */
  objection: objection.default(''),
});
export type WafSetting = z.infer<typeof wafSetting>;

export const wafSettings = defineSetting('waf_setting', {
  schema: wafSetting,
  initial: {},
  about: 'Blocking of IPs: durations, repeat offenders, and addresses that are never blocked',
  readBy: settingReaders,
  permission: 'setting.waf',
  bodyBytesMax: 128 * 1024,
});

export const wafSettingRoutes = defineRoutes({
  getWafSetting: wafSettings.read,
  updateWafSetting: wafSettings.write,
});
