const special = /[.*+?^${}()|[\]\\]/g;

/**
 * Makes the function that masks the values of arguments in access-log lines. Each byte of a value becomes an asterisk, so
 * that positions in the file stay what they are. A value ends at `&`, `#`, a space or the end of its JSON text; what nginx
 * escaped in it (`\"`, `\u0000`) is part of it.
 */
export function maskerOf(names: readonly string[]): (lines: Buffer) => Buffer {
  if (names.length === 0) return (lines) => lines;
  const words = names.map((name) => name.replace(special, '\\$&')).join('|');
  const value = new RegExp(`([?&](?:${words})=)((?:\\\\.|[^&"#\\s\\\\])+)`, 'gi');
  return (lines) => {
    // A byte a character, whatever the bytes mean.
    const text = lines.toString('latin1');
    const masked = text.replace(value, (_, name: string, secret: string) => name + '*'.repeat(secret.length));
    return masked === text ? lines : Buffer.from(masked, 'latin1');
  };
}
