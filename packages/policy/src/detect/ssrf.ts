import { byteAt, digit, hex, isKind, skip, word, wordsOf } from './bytes.ts';
import { wordBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const ssrfLiterals =
  '169.254. metadata. 100.100.100.200 fd00:ec2 0xa9fe 2852039166 a9fe:a9fe 192.0.0.192 gopher: dict: sftp: tftp: ldap: unix: netdoc: jar:http ://localhost ://0 ://1 ://2 ://3 ://4 ://5 ://6 ://7 ://8 ://9 ://[ @localhost @0 @1 @2 @3 @4 @5 @6 @7 @8 @9 @[';

/** Addresses that a server should not be sent to. */
export const ssrf: Detector = {
  name: 'ssrf',
  group: 'ssrf',
  mayFind: ({ words }) => (words & wordBits.address) !== 0,
  find: findAddress,
};

const metadata = wordsOf(
  '169.254.169.254 metadata.google.internal 100.100.100.200 169.254.170.2 fd00:ec2::254 169.254.169.253 metadata.tencentyun.com 0xa9fea9fe 2852039166 [::ffff:a9fe:a9fe] 192.0.0.192',
);
const schemes = wordsOf(
  'gopher:// dict://1 dict://l sftp://1 tftp:// ldap://1 ldap://l unix:/ netdoc: jar:http gopher:/ unix:a',
);
const local = wordsOf('localhost 127. 0.0.0.0 [:: [0: 0x7f 2130706433 0177. 017700000001 0/ 0:');

function findAddress({ lower, part, isPasted }: Subject): Hit | undefined {
  if (part.place === 'header' || part.place === 'cookie') return undefined;
  const loss = isPasted ? 3 : 0;
  let best = firstOf(
    lower,
    metadata,
    lower.indexOf('://') >= 0 || lower.length < 80 ? 7 - loss : 4,
    'an address of metadata',
  );
  for (const scheme of schemes) {
    const at = lower.indexOf(scheme);
    if (at >= 0 && !isKind(byteAt(lower, at - 1), word))
      best = stronger(best, { score: 6 - loss, offset: at, why: `an address of another kind: ${scheme}` });
  }
  if (part.place === 'referer' || isPasted) return best;
  return stronger(best, localHit(lower));
}

/** `http://127.0.0.1:6379/`, where a value is an address and nothing else. Developers' own machines are 4. */
function localHit(lower: string): Hit | undefined {
  const at = lower.indexOf('://');
  if (at < 2 || at > 8 || lower.length > 400) return undefined;
  let host = at + 3;
  const sign = lower.indexOf('@', host);
  const slash = lower.indexOf('/', host);
  if (sign >= 0 && (slash < 0 || sign < slash)) host = sign + 1;
  const rest = lower.substring(host);
  for (const name of local)
    if (rest.startsWith(name) || rest === '0') {
      const isPlain = name === 'localhost' || rest.startsWith('127.0.0.1');
      return { score: isPlain ? 4 : 5, offset: host, why: 'an address of the server itself' };
    }
  const stop = isKind(byteAt(rest, 0), digit) ? skip(rest, rest.startsWith('0x') ? 2 : 0, hex) : 0;
  const isNumber =
    stop >= 8 && (stop >= rest.length || byteAt(rest, stop) === 47 || byteAt(rest, stop) === 58);
  return isNumber ? { score: 5, offset: host, why: 'an address as one number' } : undefined;
}
