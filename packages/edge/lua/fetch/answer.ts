/** A response field, its lines joined by commas. */
export function field(name: string): string | undefined {
  const joined = linesOf(ngx.header[name]);
  return joined;
}

/** The lines of a field as one, joined by commas. */
export function linesOf(value: string | number | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (type(value) === 'table') return table.concat(value as string[], ', ');
  return tostring(value);
}

/** When it was made; where the origin does not say it, that is now (RFC 9110 §6.6.1). */
export function dateOf(): string {
  const stated = field('Date');
  if (stated !== undefined) return stated;
  const now = ngx.http_time(ngx.time());
  ngx.header.Date = now;
  return now;
}

/** Of nginx's `a, b : c`, a value for each try: the last. */
export function lastOf(values: string | undefined): string | undefined {
  if (values === undefined || values === '-') return undefined;
  // There is one mostly, and LuaJIT compiles a search for a text, and none for a pattern.
  if (string.find(values, ' ', 1, true)[0] === undefined) return values;
  const [last] = string.match(values, '([^, ]+)$');
  return last === '-' ? undefined : last;
}
