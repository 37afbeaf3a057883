import * as z from 'zod';
import { defineRoutes } from './define.ts';
import type { Language } from './issues.text.ts';
import { menuText } from './menu.text.ts';
import { menuOf, type MenuItem } from './menus.ts';
import { allows, rolesOf, type Holder, type Role } from './permissions.ts';
import { screens } from './screens.ts';

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

/**
 * The menu of a person in a language. Screens that they may not open are left out, and so are groups and sections that
 * are empty without them. `badges` are by path.
 */
export function describeMenu(
  holder: Holder,
  language: Language,
  badges: Readonly<Record<string, string>> = {},
): Menu {
  const text = menuText[language];
  const allowed = (item: MenuItem) => !('screen' in item) || allows(screens[item.screen].access, holder);
  const describe = (item: MenuItem): MenuEntry => {
    const path = 'screen' in item ? screens[item.screen].path : 'link' in item ? item.link : undefined;
    const roles = item.roles ?? ('screen' in item ? rolesOf(screens[item.screen].access) : undefined);
    const info = path === undefined ? undefined : badges[path];
    return {
      title:
        'screen' in item
          ? text.screen[item.screen]
          : text.menu[leaf(item.titleKey) as keyof typeof text.menu],
      icon: item.icon,
      ...(path === undefined ? {} : { path }),
      ...(info === undefined ? {} : { info }),
      ...(item.captionKey === undefined
        ? {}
        : { caption: text.caption[leaf(item.captionKey) as keyof typeof text.caption] }),
      ...(item.disabled === undefined ? {} : { disabled: item.disabled }),
      ...(roles === undefined ? {} : { roles: [...roles] }),
      ...('children' in item ? { children: item.children.filter(allowed).map(describe) } : {}),
    };
  };
  const sections = menuOf(holder.role).map(({ titleKey, items }) => ({
    subheader: text.menu[leaf(titleKey) as keyof typeof text.menu],
    items: items.filter(allowed).map(describe),
  }));
  return visibleTo(holder.role, sections);
}

/** Leaves out what a role is not to see: entries whose list of roles lacks it, and what is empty without them. */
export function visibleTo(role: Role, sections: Menu): Menu {
  const visible = (entries: readonly MenuEntry[]): MenuEntry[] =>
    entries
      .filter(({ roles }) => roles === undefined || roles.includes(role))
      .map((item) => (item.children ? { ...item, children: visible(item.children) } : item))
      .filter(({ children }) => children === undefined || children.length > 0);
  return sections
    .map(({ subheader, items }) => ({ subheader, items: visible(items) }))
    .filter(({ items }) => items.length > 0);
}

const leaf = (key: string): string => key.slice(key.indexOf('.') + 1);
