const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const equals = 61;

/** The bytes that a text of RFC 4648 §4 stands for; nothing where it is none, or has bits to spare. */
export function decodeBase64(text: string): string | undefined {
  let end = text.length;
  if (end % 4 !== 0) return undefined;
  for (let count = 0; count < 2 && end > 0 && text.charCodeAt(end - 1) === equals; count++) end -= 1;
  const parts: string[] = [];
  let held = 0;
  let bits = 0;
  for (let index = 0; index < end; index++) {
    const value = alphabet.indexOf(text.substring(index, index + 1));
    if (value < 0) return undefined;
    held = held * 64 + value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const rest = 2 ** bits;
    parts.push(String.fromCharCode(Math.floor(held / rest)));
    held %= rest;
  }
  return held === 0 && bits < 6 ? parts.join('') : undefined;
}
