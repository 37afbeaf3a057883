import * as z from 'zod';
import { inputText } from './common.ts';
import { defineRoutes } from './define.ts';

const texts = z.strictObject({ zh: inputText().trim().max(200), en: inputText().trim().max(200) });
/** Only addresses that a browser opens as a page: no `javascript:`. */
const link = z
  .url({ protocol: /^https?$/ })
  .max(500)
  .or(z.literal(''));

/** What the consoles say before anybody has signed in, and around their screens. */
export const consoleSetting = z.strictObject({
  /** Shown under the welcome title of the sign-in page; empty: nothing. */
  welcome_tip: texts,
  /** Customers may make themselves an account. */
  sign_up: z.boolean(),
  upgrade_banner: z.strictObject({ shown: z.boolean(), text: texts, link_text: texts, link }),
});
export type ConsoleSetting = z.infer<typeof consoleSetting>;

export const consoleSettingRoutes = defineRoutes({
  getConsoleSetting: {
    method: 'GET',
    path: '/prod-api/setting/console',
    summary: 'Texts of the sign-in page and the banner. Anybody may read them.',
    access: { kind: 'public', on: 'both' },
    response: consoleSetting,
  },
  updateConsoleSetting: {
    method: 'PUT',
    path: '/prod-api/setting/console',
    summary: 'Change the texts of the sign-in page and the banner, and whether customers may sign up.',
    access: { kind: 'admin', permission: 'setting.console' },
    body: consoleSetting,
    response: consoleSetting,
  },
});
