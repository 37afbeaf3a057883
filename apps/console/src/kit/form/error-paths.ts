/**
 * Where in a form something is wrong that the schema found. What the server said is its own to take back; what is wrong with a list as a
 * whole (`root`) is looked at again with every change of the list.
 */
export function errorPaths(errors: object, below = ''): string[] {
  return Object.entries(errors).flatMap(([key, error]: [string, unknown]) => {
    if (key === 'root' || typeof error !== 'object' || error === null) return [];
    if (!('type' in error) || typeof error.type !== 'string') return errorPaths(error, `${below}${key}.`);
    return error.type === 'server' ? [] : [below + key];
  });
}

interface Wrong {
  path: string;
  message: string;
}

/** All that is wrong in a form but what belongs to no place in it, whoever found it; of a list as a whole too, at the list. */
export function allWrong(errors: object): Wrong[] {
  return Object.entries(errors).flatMap(([key, error]) => (key === 'root' ? [] : wrongAt(key, error)));
}

function wrongAt(path: string, error: unknown): Wrong[] {
  if (typeof error !== 'object' || error === null) return [];
  const { root, ...parts } = error as Record<string, unknown>;
  const own = [parts, root].flatMap((each) => (isError(each) ? [{ path, message: each.message ?? '' }] : []));
  const below = Object.entries(parts).flatMap(([key, part]) =>
    isError(parts) && errorKeys.has(key) ? [] : wrongAt(`${path}.${key}`, part),
  );
  return [...own, ...below];
}

const errorKeys = new Set(['type', 'message', 'types', 'ref']);

/** What a form says itself (`setError`) may have a message alone. A field that is called so has an object there. */
const isError = (value: unknown): value is { type?: string; message?: string } =>
  typeof value === 'object' &&
  value !== null &&
  (('type' in value && typeof value.type === 'string') ||
    ('message' in value && typeof value.message === 'string'));
