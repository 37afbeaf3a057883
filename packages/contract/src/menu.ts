import * as z from 'zod';
import { defineRoutes } from './define.ts';

const entry = z.strictObject({
  title: z.string(),
  /** A path of the console, or an address that opens in a new tab. A group has none: it leads to its children. */
  path: z.string().optional(),
  icon: z.string(),
  /** What its badge says. */
  info: z.string().optional(),
  caption: z.string().optional(),
  disabled: z.boolean().optional(),
  roles: z.array(z.enum(['admin', 'user'])).optional(),
  get children() {
    return z.array(entry).optional();
  },
});
export type MenuEntry = z.infer<typeof entry>;

const menu = z.array(z.strictObject({ subheader: z.string(), items: z.array(entry) }));
/** The menu as it is shown: in one language, for one role. */
export type Menu = z.infer<typeof menu>;

export const menuRoutes = defineRoutes({
  getMenu: {
    method: 'GET',
    path: '/prod-api/menu',
    summary: 'Get the menu of the caller, in the language of Accept-Language.',
    access: { kind: 'signed_in' },
    response: z.strictObject({ role: z.enum(['admin', 'user']), menu }),
  },
});
