import type { Language } from './issues.text.ts';
import type { Menu, MenuEntry } from './menu.ts';
import { menuText } from './menu.text.ts';
import { menuOf, type MenuItem, type MenuSection } from './menus.ts';
import { allows, rolesOf, type Holder, type Role } from './permissions.ts';
import { screens, type Screen, type ScreenId } from './screens.ts';

/**
 * The menu of a person in a language. Screens that they may not open are left out, and so are groups and sections that
 * are empty without them. `badges` are by path.
 */
export function describeMenu(
  holder: Holder,
  language: Language,
  badges: Readonly<Record<string, string>> = {},
): Menu {
  return describeSections(menuOf(holder.role), screens, holder, language, badges);
}

/** The same of a given tree: a console that knows the screens of one role alone has no other. */
export function describeSections(
  tree: readonly MenuSection[],
  known: Partial<Record<ScreenId, Screen>>,
  holder: Holder,
  language: Language,
  badges: Readonly<Record<string, string>> = {},
): Menu {
  const text = menuText[language];
  const screenOf = (item: MenuItem) => ('screen' in item ? known[item.screen] : undefined);
  const allowed = (item: MenuItem) => {
    const screen = screenOf(item);
    return !('screen' in item) || (screen !== undefined && allows(screen.access, holder));
  };
  const describe = (item: MenuItem): MenuEntry => {
    const screen = screenOf(item);
    const path = screen?.path ?? ('link' in item ? item.link : undefined);
    const roles = item.roles ?? (screen && rolesOf(screen.access));
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
  const sections = tree.map(({ titleKey, items }) => ({
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
