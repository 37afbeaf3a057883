import {
  filesOf,
  menuOf,
  rolesOf,
  routes,
  screens,
  type Access,
  type Role,
  type RouteSpec,
} from '@breakwater/contract';
import { parseSync, Visitor, type ESTree, type Plugin } from 'vite';

type Entry = { access: Access };
const specs = Object.entries(routes) as [string, RouteSpec][];

const isFor =
  (role: Role) =>
  ([, { access }]: [string, Entry]) =>
    access.kind !== 'public' && rolesOf(access).includes(role);

/** What a call needs of the contract. Without its schemas, a visitor waits for a third less. */
function entryOf([name, { method, path, access, transport, body }]: [string, RouteSpec]): [string, object] {
  const files = transport === 'file' && body && { files: [...filesOf(body).keys()] };
  return [name, { method, path, access, ...files }];
}

/** `virtual:routes`: the calls before sign-in. */
export const guestTable = (): Record<string, unknown> =>
  Object.fromEntries(specs.filter(([, { access }]) => access.kind === 'public').map(entryOf));

/** `virtual:tables/…`: what the console of a role knows of calls, screens and menus; of nothing else that there is. */
export function roleTables(role: Role): Record<string, unknown> {
  return {
    routes: Object.fromEntries(specs.filter(isFor(role)).map(entryOf)),
    screens: Object.fromEntries(Object.entries(screens).filter(isFor(role))),
    menu: menuOf(role),
  };
}

/**
 * Screens take the schemas of calls from the contract, beside which stand the calls of others: of those, the console gets the
 * schemas that it sends by, and neither path nor description.
 */
export function withoutPaths(): Plugin {
  return {
    name: 'breakwater-without-paths',
    apply: 'build',
    transform(code, id) {
      if (!/\/packages\/contract\/src\/[^?]+\.ts$/.test(id) || !/\b(defineRoutes|crudRoutes)\(/.test(code))
        return undefined;
      const dropped: Place[] = [];
      new Visitor({
        CallExpression({ callee, arguments: given }) {
          const last = given.at(-1);
          if (callee.type !== 'Identifier' || last?.type !== 'ObjectExpression') return;
          if (callee.name === 'crudRoutes') dropped.push(...textsOf(last));
          if (callee.name === 'defineRoutes')
            for (const property of last.properties)
              if (property.type === 'Property' && property.value.type === 'ObjectExpression')
                dropped.push(...textsOf(property.value));
        },
        Literal({ value, start, end }) {
          if (typeof value === 'string' && /^\/(prod-api|node-api|api)\//.test(value))
            dropped.push([start, end]);
        },
      }).visit(parseSync(id, code, { lang: 'js' }).program);
      return { code: blank(code, dropped), map: null };
    },
  };
}

type Place = [start: number, end: number];

/** Where the texts of a call's path and description stand. */
const textsOf = ({ properties }: ESTree.ObjectExpression): Place[] =>
  properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return [];
    const { name } = property.key;
    if (name === 'summaries' && property.value.type === 'ObjectExpression')
      return property.value.properties.flatMap((each) =>
        each.type === 'Property' ? [[each.value.start, each.value.end] as Place] : [],
      );
    return name === 'path' || name === 'summary' ? [[property.value.start, property.value.end]] : [];
  });

/** The code with an empty text in these places. */
function blank(code: string, places: readonly Place[]): string {
  let at = 0;
  let result = '';
  for (const [start, end] of [...places].sort(([one], [other]) => one - other)) {
    // One may be found twice.
    if (start < at) continue;
    result += `${code.slice(at, start)}''`;
    at = end;
  }
  return result + code.slice(at);
}
