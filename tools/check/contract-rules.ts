import {
  adminMenu,
  customerMenu,
  permissions,
  rolesOf,
  routes,
  screens,
  screensOf,
  storableJson,
  storableText,
  type BuiltinGroup,
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
      rolesOf(screens[id].access).flatMap((role) => {
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
      // By number, or from the last of the page before: what grows while it is read.
      const isKeyset = propertiesOf(query).includes('before');
      const lacking = [
        ...(isKeyset ? ['page_size'] : ['current_page', 'page_size'])
          .filter((key) => !propertiesOf(query).includes(key))
          .map((key) => `${key} in the query`),
        ...(isKeyset ? ['list', 'next'] : ['list', 'total', 'current_page', 'page_size'])
          .filter((key) => !answer.includes(key))
          .map((key) => `${key} in the answer`),
      ];
      return lacking.length > 0 ? [`${name} lacks ${lacking.join(', ')}`] : [];
    }),
};

const changesGuarded: Rule = {
  name: 'every route that changes something names a permission that the shipped read-only group has not',
  find: () =>
    allRoutes.flatMap(([name, { method, access, unlogged }]) => {
      // What is not logged changes nothing, whatever its method; without a permission one changes what is one's own.
      if (method === 'GET' || unlogged || !('permission' in access)) return [];
      const shipped: readonly BuiltinGroup[] = permissions[access.permission].shipped;
      return shipped.includes('read_only') ? [`${name} may be called by read_only`] : [];
    }),
};

/** But of nodes: one may be newer than the control plane, and says more than it knows. */
const inputsStrict: Rule = {
  name: 'every query and every body of people refuses unknown fields',
  find: () =>
    allRoutes.flatMap(([name, route]) =>
      (route.access.kind === 'node' ? [] : (['params', 'query', 'body'] as const)).flatMap((part) => {
        const schema = route[part];
        if (!schema || !(schema instanceof z.ZodObject)) return [];
        return schema.def.catchall instanceof z.ZodNever ? [] : [`${name}: ${part} is not a strict object`];
      }),
    ),
};

/** What is not bounded ends as an error of a store, not of a field. */
const inputsBounded: Rule = {
  name: 'every text of an input is a `inputText()`, every number has its bounds, every time is a `time`, and JSON is `json`',
  find: () =>
    allRoutes.flatMap(([name, { params, query, body }]) =>
      [...unboundedIn(params, 'params'), ...unboundedIn(query, 'query'), ...unboundedIn(body, 'body')].map(
        (problem) => `${name}: ${problem}`,
      ),
    ),
};

function unboundedIn(schema: z.core.$ZodType | undefined, path: string): string[] {
  if (schema === undefined) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) => unboundedIn(field, `${path}.${key}`));
    case 'array':
      return unboundedIn(def.element, `${path}[]`);
    case 'union':
      return def.options.flatMap((option) => unboundedIn(option, path));
    case 'record':
      return [...unboundedIn(def.keyType, `${path} (key)`), ...unboundedIn(def.valueType, `${path} (value)`)];
    case 'pipe':
      // What is coerced is bounded by what follows.
      return def.in instanceof z.ZodNumber ? unboundedIn(def.out, path) : unboundedIn(def.in, path);
    case 'lazy':
    case 'any':
      return [`${path} may be anything`];
    case 'unknown':
      return def.checks?.includes(storableJson) ? [] : [`${path} is not \`json\``];
    case 'string':
      return stringProblem(schema, path);
    case 'number':
      return numberProblem(schema, path);
    default:
      return 'innerType' in def ? unboundedIn(def.innerType, path) : [];
  }
}

function stringProblem(schema: z.core.$ZodType, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = def.checks ?? [];
  if (schema instanceof z.ZodISODateTime) return checks.length > 0 ? [] : [`${path} is not a \`time\``];
  // Of the other formats each has a pattern, which takes nothing that cannot be stored.
  if (schema instanceof z.ZodStringFormat || checks.includes(storableText)) return [];
  return [`${path} is not a \`inputText()\``];
}

function numberProblem(schema: z.core.$ZodType, path: string): string[] {
  if (!(schema instanceof z.ZodNumber)) return [];
  const { minValue, maxValue } = schema;
  const has = (bound: number | null) => bound !== null && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  return has(minValue) && has(maxValue) ? [] : [`${path} has no bounds`];
}

export const contractRules: Rule[] = [
  screensReached,
  routesHandled,
  pathsDiffer,
  listsPaged,
  changesGuarded,
  inputsStrict,
  inputsBounded,
];
