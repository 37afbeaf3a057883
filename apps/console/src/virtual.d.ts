/** The icons: where the file lies that has them all, and their names. */
declare module 'virtual:icons' {
  const icons: { path: string; names: string };
  export default icons;
}

/** The countries' flags: where their files lie, and the codes that there is one of. */
declare module 'virtual:flags' {
  const flags: { path: string; codes: string };
  export default flags;
}

/** What calling a route takes, without its schemas: those weigh ten times as much. Here: the routes before sign-in. */
declare module 'virtual:routes' {
  const routes: Record<string, import('virtual:tables').RouteEntry>;
  export default routes;
}

/** What each role knows of the contract. */
declare module 'virtual:tables' {
  export type RouteEntry = Pick<import('@breakwater/contract').RouteSpec, 'method' | 'path' | 'access'> & {
    /** Of a form: the fields that are sent as files. */
    files?: readonly string[];
  };
  export interface RoleTables {
    routes: Record<string, RouteEntry>;
    screens: Partial<Record<import('@breakwater/contract').ScreenId, import('@breakwater/contract').Screen>>;
    menu: readonly import('@breakwater/contract').MenuSection[];
  }
}
declare module 'virtual:tables/admin' {
  const tables: import('virtual:tables').RoleTables;
  export default tables;
}
declare module 'virtual:tables/user' {
  const tables: import('virtual:tables').RoleTables;
  export default tables;
}

/** The package has no types of its own. By its file, since Node has a module of the package's name. */
declare module 'punycode/punycode.es6.js' {
  /** RFC 3492, without the `xn--`. Throws a `RangeError` for what is not Punycode. */
  export function decode(encoded: string): string;
}

/** What Emotion makes styles with; it has no types of its own, and Emotion's plugins are its. */
declare module 'stylis' {
  type Element = import('@emotion/cache').StylisElement;
  type Plugin = import('@emotion/cache').StylisPlugin;
  export function compile(css: string): Element[];
  export function serialize(elements: Element[], plugin: Plugin): string;
  export function middleware(plugins: Plugin[]): Plugin;
  export const stringify: Plugin;
}
