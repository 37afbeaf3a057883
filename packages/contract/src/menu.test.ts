import { describe, expect, it } from 'vitest';
import { describeMenu, visibleTo } from './menu-tree.ts';
import type { Menu, MenuEntry } from './menu.ts';
import { adminMenu, customerMenu, menuOf, screensOf, type MenuItem } from './menus.ts';
import { adminPermissions, rolesOf, userPermissions, type Holder } from './permissions.ts';
import { screens } from './screens.ts';

const owner: Holder = { role: 'admin', permissions: new Set(adminPermissions) };

describe('menus', () => {
  it('give an unknown role the administrator’s', () => {
    expect(menuOf('user')).toBe(customerMenu);
    expect(menuOf('admin')).toBe(adminMenu);
    expect(menuOf('something else')).toBe(adminMenu);
  });

  it.each([adminMenu, customerMenu])('show different things by different icons', (...sections) => {
    const icons = (items: readonly MenuItem[]): string[] =>
      items.flatMap((item) => [item.icon, ...('children' in item ? icons(item.children) : [])]);
    const all = sections.flatMap(({ items }) => icons(items));
    expect(all.filter((icon, at) => all.indexOf(icon) !== at)).toEqual([]);
  });

  it('lead a role only to screens of that role', () => {
    for (const id of screensOf(customerMenu)) expect(rolesOf(screens[id].access)).toContain('user');
    for (const id of screensOf(adminMenu)) expect(rolesOf(screens[id].access)).toContain('admin');
  });

  it('show what a person may open, and neither groups nor sections that are empty without it', () => {
    const some: Holder = { role: 'admin', permissions: new Set(['area.read', 'area.write', 'tag.read']) };
    const titles = describeMenu(some, 'en').map(({ subheader, items }) => [
      subheader,
      items.map(({ title, children }) => [title, ...(children ?? []).map((child) => child.title)]),
    ]);
    expect(titles).toEqual([
      ['Overview', [['Home']]],
      ['Delivery and security', [['Site tags'], ['Node management', 'Areas']]],
      ['System', [['API docs']]],
    ]);
  });

  it('are whole for an owner and a customer', () => {
    const customer: Holder = { role: 'user', permissions: new Set(userPermissions) };
    const paths = (holder: Holder) => {
      const flat = (entries: MenuEntry[]): MenuEntry[] =>
        entries.flatMap((item) => [item, ...flat(item.children ?? [])]);
      return describeMenu(holder, 'zh').flatMap(({ items }) => flat(items).map(({ path }) => path));
    };
    for (const id of screensOf(adminMenu)) expect(paths(owner)).toContain(screens[id].path);
    for (const id of screensOf(customerMenu)) expect(paths(customer)).toContain(screens[id].path);
  });

  it('carry badges by path', () => {
    const entries = describeMenu(owner, 'en', { [screens.tasks.path]: '3' }).flatMap(({ items }) => items);
    expect(entries.find(({ path }) => path === screens.tasks.path)).toMatchObject({
      title: 'Tasks',
      info: '3',
    });
    expect(entries.filter(({ info }) => info !== undefined)).toHaveLength(1);
  });

  it('leave out entries of other roles, and groups and sections that are empty without them', () => {
    const menu: Menu = [
      {
        subheader: 'one',
        items: [
          { title: 'all', icon: 'a', path: '/dashboard' },
          {
            title: 'group',
            icon: 'a',
            children: [{ title: 'admin', icon: 'a', path: '/x', roles: ['admin'] }],
          },
        ],
      },
      { subheader: 'two', items: [{ title: 'admin', icon: 'a', path: '/y', roles: ['admin'] }] },
    ];
    expect(visibleTo('admin', menu)).toEqual(menu);
    expect(visibleTo('user', menu)).toEqual([
      { subheader: 'one', items: [{ title: 'all', icon: 'a', path: '/dashboard' }] },
    ]);
  });
});
