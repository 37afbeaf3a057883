import type { Role, RouteName } from '@breakwater/contract';

/** A column or a filter that is not for everyone who sees the list. */
export type Restricted<Part> = Part & {
  role?: Role;
  /** Only for those who may call it. */
  needs?: RouteName;
};

export const isAllowed = (
  { role, needs }: Restricted<object>,
  own: Role,
  may: (name: RouteName) => boolean,
): boolean => (role === undefined || role === own) && (needs === undefined || may(needs));
