import { describe, expect, it } from 'vitest';
import { describeMenu, visibleTo, type Menu } from './menu.ts';
import { adminMenu, customerMenu, menuOf, screensOf } from './menus.ts';
import { screens } from './screens.ts';

describe('menus', () => {
  it('give an unknown role the administrator’s', () => {
    expect(menuOf('user')).toBe(customerMenu);
    expect(menuOf('admin')).toBe(adminMenu);
    expect(menuOf('something else')).toBe(adminMenu);
  });

  it('lead a role only to screens of that role', () => {
    for (const id of screensOf(customerMenu)) expect(screens[id].roles).toContain('user');
    for (const id of screensOf(adminMenu)) expect(screens[id].roles).toContain('admin');
  });

  it('carry badges by path', () => {
    const entries = describeMenu('admin', 'en', { [screens.tasks.path]: '3' }).flatMap(({ items }) => items);
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
