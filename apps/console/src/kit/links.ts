import { fillPath, screens, type ScreenId } from '@breakwater/contract';

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

/** Typed links to every screen: `to.siteDetail({ id })`. */
export const to = Object.fromEntries(
  Object.entries(screens).map(([id, { path }]) => {
    const hasParameters = path.includes('{');
    return [
      id,
      (first?: Record<string, number>, second?: Search): Target =>
        hasParameters
          ? { to: fillPath(path, first), search: asText(second) }
          : { to: path, search: asText(first) },
    ];
  }),
) as unknown as Links;

const byPath = new Map(Object.entries(screens).map(([id, { path }]) => [path as string, id as ScreenId]));
/** The screen that a link leads to. */
export const screenOf = ({ to: path }: Target): ScreenId | undefined =>
  byPath.get(path.replace(/\/\d+$/, '/{id}'));

function asText(search: Search = {}): Record<string, string> {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
}
