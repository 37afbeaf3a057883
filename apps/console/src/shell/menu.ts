import { adminMenu, customerMenu, screens, type MenuSection, type Role } from '@breakwater/contract';

export function menuFor(role: Role): readonly MenuSection[] {
  const menu = role === 'user' ? customerMenu : adminMenu;
  return menu.map((section) => ({
    ...section,
    items: section.items.filter(({ screen }) => (screens[screen].roles as readonly Role[]).includes(role)),
  }));
}
