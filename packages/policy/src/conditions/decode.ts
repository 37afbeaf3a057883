import type { ConditionDecoder } from '@breakwater/contract/condition-fields';
import { decodeEscapes, decodePercent, hexNumber } from '../detect/decode-bytes.ts';
import { decodeEntities } from '../detect/decode-text.ts';
import { lowerAscii } from '../lib/text.ts';

/**
 * A text decoded step by step. What is partly encoded comes out as far as it goes: escapes of URLs, of HTML and of scripts
 * leave all else as it is, Base64 and hexadecimal digits end where they end. Nothing: such a step found none of its own at the start.
 */
export function decodeText(text: string, steps: readonly ConditionDecoder[]): string | undefined {
  let decoded: string | undefined = text;
  for (const step of steps) {
    if (decoded === undefined) return undefined;
    decoded = decodeOnce(decoded, step);
  }
  return decoded;
}

function decodeOnce(text: string, step: ConditionDecoder): string | undefined {
  if (step === 'url') return decodePercent(text, false);
  if (step === 'html') return decodeEntities(text);
  if (step === 'unicode') return decodeEscapes(text);
  if (step === 'base64') return fromBase64(text);
  if (step === 'hex') return fromHex(text);
  // The length is taken of what comes out.
  return step === 'lower' ? lowerAscii(text) : text;
}

/** Of both alphabets, with padding or without; white space is passed over. */
function fromBase64(text: string): string | undefined {
  if (text === '') return '';
  const out: string[] = [];
  let held = 0;
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32) continue;
    const value = base64Value(code);
    if (value < 0) break;
    held = held * 64 + value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const rest = 2 ** bits;
    out.push(String.fromCharCode(Math.floor(held / rest)));
    held %= rest;
  }
  return out.length === 0 ? undefined : out.join('');
}

function base64Value(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  return code === 47 || code === 95 ? 63 : -1;
}

function fromHex(text: string): string | undefined {
  if (text === '') return '';
  const out: string[] = [];
  for (let at = 0; at + 1 < text.length; at += 2) {
    const value = hexNumber(text, at, 2);
    if (value < 0) break;
    out.push(String.fromCharCode(value));
  }
  return out.length === 0 ? undefined : out.join('');
}
