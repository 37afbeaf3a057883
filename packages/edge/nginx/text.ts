/** Text as nginx reads it from its configuration. */
export function quote(text: string): string {
  if (/["\\$\n]/.test(text)) throw new Error(`nginx cannot be given this path: ${text}`);
  return `"${text}"`;
}

export function luaString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
