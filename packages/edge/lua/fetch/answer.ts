/** A response field, its lines joined by commas. */
export function field(name: string): string | undefined {
  const value = ngx.header[name];
  if (type(value) === 'table') return table.concat(value as string[], ', ');
  return value === undefined ? undefined : tostring(value);
}

/** Of nginx's `a, b : c`, a value for each try: the last. */
export function lastOf(values: string | undefined): string | undefined {
  if (values === undefined) return undefined;
  const [last] = string.match(values, '([^, ]+)$');
  return last === '-' ? undefined : last;
}
