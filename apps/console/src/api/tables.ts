import type { MenuSection, RouteName, Screen, ScreenId } from '@breakwater/contract';
import guestRoutes from 'virtual:routes';
import type { RouteEntry, RoleTables } from 'virtual:tables';

/**
 * What the console knows of the contract's calls, screens and menus: those of who is signed in, and of guests the calls before
 * sign-in alone. What only operators may do is in no file that a customer's browser is sent (`vite.config.ts`).
 */
let known: RoleTables = { routes: {}, screens: {}, menu: [] };

/** Takes over what the role of who is signed in may know. */
export function knowTables(tables: RoleTables): void {
  known = tables;
}

/** Undefined: a call for others. */
export const routeOf = (name: RouteName | (string & {})): RouteEntry | undefined =>
  known.routes[name] ?? guestRoutes[name];

/** Undefined: a screen for others. */
export const screenOf = (id: ScreenId): Screen | undefined => known.screens[id];

export const knownScreens = (): [ScreenId, Screen][] => Object.entries(known.screens) as [ScreenId, Screen][];

export const knownMenu = (): readonly MenuSection[] => known.menu;
