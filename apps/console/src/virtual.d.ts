declare module 'virtual:icons' {
  const icons: Record<string, { body: string; width: number; height: number }>;
  export default icons;
}

/** What calling a route takes, without its schemas: those weigh ten times as much. */
declare module 'virtual:routes' {
  export type RouteEntry = Pick<import('@breakwater/contract').RouteSpec, 'method' | 'path' | 'access'> & {
    /** Of a form: the fields that are sent as files. */
    files?: readonly string[];
  };
  const routes: Record<string, RouteEntry>;
  export default routes;
}
