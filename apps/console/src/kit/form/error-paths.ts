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
