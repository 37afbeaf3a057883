/** Text as a byte string, one character per byte of its UTF-8, as Lua and PCRE see it. Only where JavaScript runs. */
export function toByteString(text: string): string {
  // Most texts are ASCII, and are their own bytes.
  if (isAscii(text)) return text;
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
