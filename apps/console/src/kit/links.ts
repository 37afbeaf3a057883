import { fillPath, type screens, type ScreenId } from '@breakwater/contract';
import { knownScreens, screenOf as knownScreen } from '../api/tables.ts';

type Parameters<Path extends string> = Path extends `${string}{${infer Key}}${infer Rest}`
  ? { [K in Key]: number } & Parameters<Rest>
  : unknown;
type Search = Record<string, string | number | undefined>;

/** Where a link leads: what the router's `Link` and `navigate` take. */
export interface Target {
  to: string;
  search: Record<string, string>;
}

type Links = {
  [Id in ScreenId]: unknown extends Parameters<(typeof screens)[Id]['path']>
    ? (search?: Search) => Target
    : (params: Parameters<(typeof screens)[Id]['path']>, search?: Search) => Target;
};

/** Where a link to a screen for others leads; `isForOthers` knows it. */
const nowhere: Target = { to: '/404', search: {} };
export const isForOthers = ({ to: path }: Target): boolean => path === nowhere.to;

/** Typed links to every screen: `to.siteDetail({ id })`. */
export const to = new Proxy({} as Links, {
  get:
    (_, id: ScreenId) =>
    (first?: Record<string, number>, second?: Search): Target => {
      const path = knownScreen(id)?.path;
      if (path === undefined) return nowhere;
      return path.includes('{')
        ? { to: fillPath(path, first), search: asText(second) }
        : { to: path, search: asText(first as Search) };
    },
});

/** The screen that a link leads to. */
export function screenOf({ to: path }: Target): ScreenId | undefined {
  const wanted = path.replace(/\/\d+$/, '/{id}');
  return knownScreens().find(([, screen]) => screen.path === wanted)?.[0];
}

function asText(search: Search = {}): Record<string, string> {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
}
