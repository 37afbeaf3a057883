import { byteAt, digit, isKind, skip, startsWithAny, word, wordsOf } from './bytes.ts';
import { byteBits, wordBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Part, Subject } from './types.ts';

/** Objects in texts, from which careless software makes anything: Java, PHP, .NET, Python, Ruby, Node, YAML. */
export const deserialisation: Detector = {
  name: 'deserialisation',
  group: 'deserialisation',
  mayFind: ({ bytes, words, text, part }) =>
    (words & wordBits.object) !== 0 ||
    ((bytes & byteBits.colon) !== 0 && (bytes & byteBits.quote) !== 0) ||
    byteAt(text, 0) === 172 ||
    (part.place === 'json' && part.name.endsWith('type')),
  find: findObject,
};

export const objectLiterals =
  'ro0ab aaeaaad h4si java.util.priorityqueue java.beans.xmldecoder com.sun.rowset.jdbcrowsetimpl org.apache.commons.collections com.sun.org.apache.xalan.internal.xsltc org.springframework.aop com.mchange.v2.c3p0 org.apache.xbean objectdataprovider system.windows.data typeconfusedelegate !!javax.script !!python/object !!java.net !!com.sun !ruby/object !!js/function __reduce__ cposix csubprocess c__builtin__ _$$nd_func$$_ javax.naming.ldap.rdn com.sun.xml.internal jdk.nashorn.internal dynamic-proxy ch.qos.logback.core.db org.apache.ibatis.datasource org.h2.jdbcx com.zaxxer.hikari org.apache.tomcat.dbcp java.lang.autocloseable jndiloginmodule';
const gadgets = wordsOf(objectLiterals.substring(objectLiterals.indexOf('java.')));

function findObject({ text, lower, part, isPasted }: Subject): Hit | undefined {
  let best: Hit | undefined;
  const stream = text.indexOf('rO0AB');
  if (stream === 0 || (stream > 0 && !isKind(byteAt(text, stream - 1), word)))
    best = { score: 8, offset: stream, why: 'an object of Java in base64' };
  if (byteAt(text, 0) === 172 && byteAt(text, 1) === 237 && byteAt(text, 2) === 0 && byteAt(text, 3) === 5)
    best = { score: 8, offset: 0, why: 'an object of Java' };
  if (text.startsWith('AAEAAAD/////'))
    best = stronger(best, { score: 8, offset: 0, why: 'an object of .NET in base64' });
  if (text.startsWith('H4sIAAAAAAAA') && part.place !== 'file')
    best = stronger(best, { score: 3, offset: 0, why: 'compressed base64' });
  best = stronger(
    best,
    firstOf(
      lower,
      gadgets,
      isPasted && part.place !== 'xml' && part.place !== 'body' ? 4 : 7,
      'a class for attacks by objects',
    ),
  );
  best = stronger(best, phpObject(text));
  if (isClassName(part, lower)) best = stronger(best, { score: 6, offset: 0, why: 'a class by name' });
  return best;
}

const packages = wordsOf('com. java org. system. lorg lcom ljava');

/** `"@type":"com.a.B"`, from which libraries of JSON make an object of that class. */
function isClassName({ place, name, isName }: Part, lower: string): boolean {
  if (place !== 'json' || isName) return false;
  const isType = name === '@type' || name.endsWith('.@type') || name.endsWith('$type');
  return isType && lower.indexOf('.') > 0 && lower.indexOf('/') < 0 && startsWithAny(lower, packages, 0);
}

/** `O:8:"stdClass":…` of PHP. */
function phpObject(text: string): Hit | undefined {
  let at = text.indexOf(':');
  for (let count = 0; at >= 0 && count < 40; count++) {
    const kind = byteAt(text, at - 1);
    const stop = byteAt(text, at + 1) === 43 ? skip(text, at + 2, digit) : skip(text, at + 1, digit);
    const isObject =
      (kind === 79 || kind === 67) &&
      stop > at + 1 &&
      stop < at + 6 &&
      byteAt(text, stop) === 58 &&
      byteAt(text, stop + 1) === 34;
    if (isObject && !isKind(byteAt(text, at - 2), word))
      return { score: 7, offset: at - 1, why: 'an object of PHP' };
    at = text.indexOf(':', at + 1);
  }
  return undefined;
}
