/** Text as a byte string, one character per byte of its UTF-8, as Lua and PCRE see it. Only where JavaScript runs. */
export function toByteString(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
