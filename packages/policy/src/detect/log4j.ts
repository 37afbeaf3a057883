import { byteBits } from './marks.ts';
import { firstOf } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Lookups of Log4j, however they are nested: `${${lower:j}ndi:ldap://…}`. */
export const log4j: Detector = {
  name: 'log4j',
  group: 'code',
  mayFind: ({ bytes }) =>
    (bytes & byteBits.dollar) !== 0 && (bytes & byteBits.brace) !== 0 && (bytes & byteBits.colon) !== 0,
  find: findLookup,
};

const roundsMax = 60;
const bytesMax = 4000;

function findLookup({ lower }: Subject): Hit | undefined {
  const start = lower.indexOf('${');
  if (start < 0) return undefined;
  let text = lower.substring(start, start + bytesMax);
  let nested = 0;
  for (let count = 0; count < roundsMax; count++) {
    if (text.indexOf('${jndi:') >= 0) return { score: 9, offset: start, why: 'a lookup by JNDI' };
    const open = innermost(text);
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) break;
    const body = text.substring(open + 2, close);
    const value = valueOf(body);
    if (value !== body) nested += 1;
    text = text.substring(0, open) + value + text.substring(close + 1);
  }
  if (text.indexOf('jndi:') >= 0 && nested > 0)
    return { score: 9, offset: start, why: 'a lookup by JNDI, put together' };
  return firstOf(
    lower,
    [
      '${env:',
      '${sys:',
      '${java:',
      '${ctx:',
      '${docker:',
      '${k8s:',
      '${hostname}',
      '${script:',
      '${dns:',
      '${url:',
      '${bundle:',
    ],
    lower.indexOf(':', start) > 0 ? 6 : 4,
    'a lookup of Log4j or Commons Text',
  );
}

/** The last `${` in front of the first `}` that closes one. */
function innermost(text: string): number {
  let close = text.indexOf('}');
  while (close >= 0) {
    for (let at = close - 2; at >= 0; at--)
      if (text.charCodeAt(at) === 36 && text.charCodeAt(at + 1) === 123) return at;
    close = text.indexOf('}', close + 1);
  }
  return -1;
}

/** `lower:j` is `j`; `env:NAME:-j` and `::-j` are what stands after `:-`. */
function valueOf(body: string): string {
  const fallback = body.indexOf(':-');
  if (fallback >= 0) return body.substring(fallback + 2);
  const colon = body.indexOf(':');
  if (colon < 0) return body;
  const name = body.substring(0, colon);
  return name === 'lower' || name === 'upper' || name === 'base64' || name === 'date'
    ? body.substring(colon + 1)
    : body;
}
