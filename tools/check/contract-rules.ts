import {
  adminMenu,
  customerMenu,
  routes,
  screens,
  screensOf,
  type RouteSpec,
  type ScreenId,
} from '@breakwater/contract';
import { modules } from '@breakwater/server/modules/index';
import * as z from 'zod';
import { filesUnder, read, type Rule } from './sources.ts';

const allRoutes = Object.entries(routes) as [string, RouteSpec][];

const screensReached: Rule = {
  name: 'every screen stands in a menu of each of its roles, or another screen links to it',
  find: () => {
    const menus = { admin: screensOf(adminMenu), user: screensOf(customerMenu) };
    const linked = new Set<string>();
    for (const path of filesUnder('apps/console/src', /\.tsx?$/))
      for (const [, id = ''] of read(path).matchAll(/\bto\.(\w+)\(/g)) linked.add(id);
    return (Object.keys(screens) as ScreenId[]).flatMap((id) =>
      screens[id].roles.flatMap((role) => {
        return menus[role].includes(id) || linked.has(id)
          ? []
          : [`${id} is reached from nowhere for role ${role}`];
      }),
    );
  },
};

const routesHandled: Rule = {
  name: 'every route has one handler',
  find: () => {
    const handled = modules.flatMap((module) => Object.keys(module.handlers));
    const missing = Object.keys(routes).filter((name) => !handled.includes(name));
    const twice = handled.filter((name, index) => handled.indexOf(name) !== index);
    return [
      ...missing.map((name) => `${name} has no handler`),
      ...twice.map((name) => `${name} has two handlers`),
    ];
  },
};

const pathsDiffer: Rule = {
  name: 'no two routes have the same method and path',
  find: () => {
    const seen = new Map<string, string>();
    return allRoutes.flatMap(([name, { method, path }]) => {
      const key = `${method} ${path.replace(/\{\w+\}/g, '{}')}`;
      const other = seen.get(key);
      seen.set(key, name);
      return other ? [`${name} and ${other}: ${key}`] : [];
    });
  },
};

/** Names of the properties of an object schema. */
function propertiesOf(schema: z.core.$ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

const listsPaged: Rule = {
  name: 'every list is paged, in its query and in its answer',
  find: () =>
    allRoutes.flatMap(([name, { method, query, response }]) => {
      const answer = propertiesOf(response);
      const isList = name.startsWith('list') || (answer.includes('list') && answer.includes('total'));
      if (method !== 'GET' || !isList) return [];
      const lacking = [
        ...['current_page', 'page_size']
          .filter((key) => !propertiesOf(query).includes(key))
          .map((key) => `${key} in the query`),
        ...['list', 'total', 'current_page', 'page_size']
          .filter((key) => !answer.includes(key))
          .map((key) => `${key} in the answer`),
      ];
      return lacking.length > 0 ? [`${name} lacks ${lacking.join(', ')}`] : [];
    }),
};

const changesGuarded: Rule = {
  name: 'every route that changes something names the groups that may, and read_only is none of them',
  find: () =>
    allRoutes.flatMap(([name, { method, access, unlogged }]) => {
      // What is not logged changes nothing, whatever its method.
      if (
        method === 'GET' ||
        unlogged ||
        access.kind === 'public' ||
        access.kind === 'node' ||
        access.kind === 'user'
      )
        return [];
      if (access.groups.length === 0) return [`${name} may be called by nobody`];
      return access.groups.includes('read_only') ? [`${name} may be called by read_only`] : [];
    }),
};

const inputsStrict: Rule = {
  name: 'every query and every body refuses unknown fields',
  find: () =>
    allRoutes.flatMap(([name, route]) =>
      (['params', 'query', 'body'] as const).flatMap((part) => {
        const schema = route[part];
        if (!schema || !(schema instanceof z.ZodObject)) return [];
        return schema.def.catchall instanceof z.ZodNever ? [] : [`${name}: ${part} is not a strict object`];
      }),
    ),
};

export const contractRules: Rule[] = [
  screensReached,
  routesHandled,
  pathsDiffer,
  listsPaged,
  changesGuarded,
  inputsStrict,
];
