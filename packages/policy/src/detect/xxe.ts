import { byteAt } from './bytes.ts';
import { byteBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Entities that XML reads from elsewhere, and what includes other documents. */
export const xxe: Detector = {
  name: 'xxe',
  group: 'xxe',
  mayFind: ({ bytes }) => (bytes & byteBits.angle) !== 0,
  find: findEntity,
};

function findEntity({ lower }: Subject): Hit | undefined {
  let best: Hit | undefined;
  const entity = lower.indexOf('<!entity');
  if (entity >= 0) {
    const rest = lower.substring(entity, entity + 400);
    const isOuter = rest.indexOf('system') >= 0 || rest.indexOf('public') >= 0;
    const isParameter = rest.indexOf('%') >= 0 && rest.indexOf('%') < 14;
    const grows = lower.indexOf('<!entity', entity + 8) >= 0 && rest.indexOf('&') >= 0;
    best = { score: isOuter ? 9 : isParameter || grows ? 7 : 5, offset: entity, why: 'an entity of XML' };
  }
  best = stronger(best, doctypeHit(lower));
  best = stronger(
    best,
    firstOf(lower, ['http://www.w3.org/2001/xinclude', '<xi:include'], 8, 'an inclusion of XML'),
  );
  return stronger(best, stylesheetHit(lower));
}

/** `<!DOCTYPE a SYSTEM "…">`, or one with declarations inside. Pages of HTML name theirs by PUBLIC "-//W3C…". */
function doctypeHit(lower: string): Hit | undefined {
  const at = lower.indexOf('<!doctype');
  if (at < 0) return undefined;
  let stop = lower.indexOf('>', at);
  if (stop < 0) stop = at + 300;
  const rest = lower.substring(at + 9, stop);
  const system = rest.indexOf('system');
  const isKnown =
    rest.indexOf('w3.org') >= 0 ||
    rest.indexOf('apple.com/dtds') >= 0 ||
    rest.indexOf('about:legacy') >= 0 ||
    rest.indexOf('-//') >= 0;
  if (system >= 0 && !isKnown) return { score: 7, offset: at, why: 'a document type from elsewhere' };
  return rest.indexOf('[') >= 0 && byteAt(lower, at) === 60 && rest.indexOf('<!') >= 0
    ? { score: 5, offset: at, why: 'a document type with declarations' }
    : undefined;
}

function stylesheetHit(lower: string): Hit | undefined {
  const at = lower.indexOf('<xsl:');
  if (at < 0) return undefined;
  return firstOf(
    lower,
    ['document(', 'php:function', 'msxsl:script', 'xalan', 'unparsed-text(', 'system-property('],
    7,
    'a stylesheet that runs',
  );
}
