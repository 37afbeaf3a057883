import * as z from 'zod';
import { inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { consoleSettingDefault } from './console-setting.text.ts';
import { defineSetting } from './setting.ts';

const texts = z.strictObject({ zh: inputText().trim().max(200), en: inputText().trim().max(200) });
/** Only addresses that a browser opens as a page: no `javascript:`. */
const link = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .or(z.literal(''));

export const consoleLanguages = ['zh', 'en', 'browser'] as const;

/** What the consoles say before anybody has signed in, and around their screens. */
export const consoleSetting = z.strictObject({
  /** Shown under the welcome title of the sign-in page; empty: nothing. */
  welcome_tip: texts,
  /** What a reader sees who chose none; `browser`: what the browser asks for, Chinese if that is neither. */
  language: z.enum(consoleLanguages).default('zh'),
  /** Customers may make themselves an account. */
  sign_up: z.boolean(),
  upgrade_banner: z.strictObject({ shown: z.boolean(), text: texts, link_text: texts, link }),
});
export type ConsoleSetting = z.infer<typeof consoleSetting>;

export const consoleSettings = defineSetting('console', {
  schema: consoleSetting,
  initial: consoleSettingDefault,
  about: 'Console settings: sign-in page texts, banner, default language and sign-up of customers',
  readBy: { kind: 'public', on: 'both' },
  permission: 'setting.console',
});

export const consoleSettingRoutes = defineRoutes({
  getConsoleSetting: consoleSettings.read,
  updateConsoleSetting: consoleSettings.write,
});
