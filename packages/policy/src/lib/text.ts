/** String functions that Lua has under no name of JavaScript's. */

export function lastIndexOf(text: string, part: string): number {
  let found = -1;
  let index = text.indexOf(part);
  while (index >= 0) {
    found = index;
    index = text.indexOf(part, index + 1);
  }
  return found;
}

/** Without spaces and tabs at both ends (the OWS of RFC 9110 §5.6.3). */
export function trimOws(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isOws(text.charCodeAt(start))) start += 1;
  while (end > start && isOws(text.charCodeAt(end - 1))) end -= 1;
  return text.substring(start, end);
}

function isOws(code: number): boolean {
  return code === 32 || code === 9;
}

/** ASCII letters in lower case and all else as it is, in both languages: JavaScript's own knows more letters than Lua's. */
export function lowerAscii(text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 65 || code > 90) continue;
    parts.push(text.substring(start, index), String.fromCharCode(code + 32));
    start = index + 1;
  }
  return start === 0 ? text : parts.join('') + text.substring(start);
}

/** A non-negative integer of digits only, or undefined; a number too long for exact arithmetic is cut at 2^31. */
export function parseDigits(text: string): number | undefined {
  if (text.length === 0) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return undefined;
    if (value < 2_147_483_648) value = value * 10 + (code - 48);
  }
  return value > 2_147_483_648 ? 2_147_483_648 : value;
}

/** A non-negative integer of digits only, or undefined; past 10^15, where numbers are no longer exact, 10^15. */
export function parseWhole(text: string): number | undefined {
  if (text.length === 0) return undefined;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return undefined;
    if (value < 1_000_000_000_000_000) value = value * 10 + (code - 48);
  }
  return value > 1_000_000_000_000_000 ? 1_000_000_000_000_000 : value;
}

/** Of a digit in lower-case hexadecimal. */
export function hexValue(hex: string, index: number): number {
  const code = hex.charCodeAt(index);
  return code >= 97 ? code - 87 : code - 48;
}
