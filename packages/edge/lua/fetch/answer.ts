/** A response field, its lines joined by commas. */
export function field(name: string): string | undefined {
  const value = ngx.header[name];
  if (type(value) === 'table') return table.concat(value as string[], ', ');
  return value === undefined ? undefined : tostring(value);
}
