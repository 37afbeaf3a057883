import { blank, byteAt, isKind, skip, word, wordsOf } from './bytes.ts';
import { byteBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Fields put into an answer by a line break, and what servers do with pages that they deliver: SSI and ESI. */
export const protocol: Detector = {
  name: 'protocol',
  group: 'protocol',
  mayFind: ({ bytes }) => (bytes & (byteBits.line | byteBits.angle)) !== 0,
  find: findProtocol,
};

const fields = wordsOf(
  'set-cookie location content-type content-length transfer-encoding x-xss-protection access-control-allow-origin refresh link host bcc cc x-forwarded-host content-disposition',
);

function findProtocol({ text, lower, part, bytes }: Subject): Hit | undefined {
  let best: Hit | undefined;
  if ((bytes & byteBits.angle) !== 0) {
    best = firstOf(
      lower,
      ['<!--#exec', '<!--#include', '<!--#config', '<!--#echo', '<!--#set'],
      7,
      'a directive of SSI',
    );
    best = stronger(
      best,
      firstOf(lower, ['<esi:include', '<esi:inline', '<esi:debug', '<esi:vars'], 7, 'a directive of ESI'),
    );
  }
  // Lists of header fields are sent as data; an injected one stands behind something else.
  if (part.place === 'file' || part.place === 'json' || part.place === 'xml' || isField(lower)) return best;
  let at = firstLine(text, 0);
  for (let count = 0; at >= 0 && count < 40; count++) {
    best = stronger(best, fieldAt(lower, at));
    at = firstLine(text, at);
  }
  return best;
}

/** The place after the next line break. */
function firstLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at + 1;
  }
  return -1;
}

/** Whether the text itself begins as a header field does. */
function isField(lower: string): boolean {
  let stop = 0;
  while (isKind(byteAt(lower, stop), word) || byteAt(lower, stop) === 45) stop += 1;
  return stop > 2 && byteAt(lower, stop) === 58 && byteAt(lower, stop + 1) === 32;
}

function fieldAt(lower: string, from: number): Hit | undefined {
  const at = skip(lower, from, blank);
  if (lower.startsWith('http/1.', at) || lower.startsWith('http/2', at))
    return { score: 7, offset: at, why: 'an answer in an answer' };
  let stop = at;
  while (isKind(byteAt(lower, stop), word) || byteAt(lower, stop) === 45) stop += 1;
  if (byteAt(lower, stop) !== 58) return undefined;
  const name = lower.substring(at, stop);
  for (const field of fields) {
    if (field !== name) continue;
    const isCommon =
      name === 'link' || name === 'host' || name === 'location' || name === 'refresh' || name === 'cc';
    const isClear = !isCommon || byteAt(lower, stop + 1) === 32 || lower.startsWith('http', stop + 1);
    return {
      score: isCommon ? (isClear && lower.length < 200 ? 5 : 3) : lower.length < 1000 ? 7 : 4,
      offset: at,
      why: `a header field after a line break: ${name}`,
    };
  }
  return undefined;
}
