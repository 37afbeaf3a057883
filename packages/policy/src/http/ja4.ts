import { heldOf, holding, keep } from '../lib/holding.ts';
import { hexValue } from '../lib/text.ts';

/**
 * JA4, the fingerprint of a TLS client, from its ClientHello: FoxIO's JA4 (BSD 3-Clause), as their
 * `technical_details/JA4.md` says it; none of the other methods of JA4+.
 */

/** More than any software sends. With more there is no fingerprint, so that nobody makes a node sort for long. */
const ciphersMax = 512;
const extensionsMax = 128;

/** Names of extensions (RFC 8446 §4.2), as two bytes in hexadecimal. */
const serverName = '0000';
const signatureAlgorithms = '000d';
const alpn = '0010';
const supportedVersions = '002b';
const quicParameters = '0039';

const versionNames: Record<string, string | undefined> = {
  '0304': '13',
  '0303': '12',
  '0302': '11',
  '0301': '10',
  '0300': 's3',
};

/** All but the random, keys and names: what a fingerprint is made of. Lists are as they came, in hexadecimal, two digits a byte. */
interface Hello {
  version: string;
  ciphers: string;
  /** Without server name and protocols. */
  extensions: string[];
  /** Of all extensions. */
  count: number;
  isNamed: boolean;
  algorithms: string;
  protocol: string;
}

/** Browsers of one release send alike but for the order of extensions, and a few values of GREASE. */
const known = holding<string>(300);

/**
 * The fingerprint of a ClientHello (RFC 8446 §4.1.2) in lower-case hexadecimal, without the header of its message. Nothing where it is
 * none, or one of QUIC.
 */
export function ja4Of(hex: string, sha256Hex: (this: void, text: string) => string): string | undefined {
  const hello = readHello(hex);
  if (hello === undefined) return undefined;
  const { version, ciphers, extensions, count, isNamed, algorithms, protocol } = hello;
  extensions.sort();
  const names = extensions.join(',');
  const key = `${version}${isNamed ? 'd' : 'i'}${count} ${ciphers} ${names} ${algorithms} ${protocol}`;
  const before = heldOf(known, key);
  if (before !== undefined) return before;
  const made = fingerprintOf(hello, names, sha256Hex);
  if (made !== undefined) keep(known, key, made);
  return made;
}

function fingerprintOf(
  hello: Hello,
  names: string,
  sha256Hex: (this: void, text: string) => string,
): string | undefined {
  const ciphers = namesIn(hello.ciphers);
  const algorithms = namesIn(hello.algorithms);
  if (ciphers === undefined || algorithms === undefined) return undefined;
  ciphers.sort();
  const { version, isNamed, count, extensions, protocol } = hello;
  const first = `t${versionNames[version] ?? '00'}${isNamed ? 'd' : 'i'}${two(ciphers.length)}${two(count)}`;
  const hash = (of: string[], text: string) =>
    of.length === 0 ? '000000000000' : sha256Hex(text).substring(0, 12);
  const last = algorithms.length === 0 ? names : `${names}_${algorithms.join(',')}`;
  return `${first}${protocolMark(protocol)}_${hash(ciphers, ciphers.join(','))}_${hash(extensions, last)}`;
}

/**
 * What of a fingerprint stays the same over all connections of one client: its version of TLS and its ciphers. Extensions come and
 * go (a session that is gone on with, padding), and for a WebSocket browsers offer another protocol.
 */
export const tlsClientOf = (ja4: string): string =>
  `${ja4.substring(1, 3)}${ja4.substring(4, 6)}${ja4.substring(10, 23)}`;

const two = (count: number): string => (count > 99 ? '99' : count < 10 ? `0${count}` : `${count}`);

const byteAt = (hex: string, at: number): number => hexValue(hex, at) * 16 + hexValue(hex, at + 1);
const shortAt = (hex: string, at: number): number => byteAt(hex, at) * 256 + byteAt(hex, at + 2);

function readHello(hex: string): Hello | undefined {
  // Version and random.
  let at = 4 + 64;
  if (hex.length < at + 2) return undefined;
  at += 2 + byteAt(hex, at) * 2;
  if (hex.length < at + 4) return undefined;
  const ciphersEnd = at + 4 + shortAt(hex, at) * 2;
  if (hex.length < ciphersEnd + 2 || ciphersEnd - at > 4 + ciphersMax * 4) return undefined;
  const hello: Hello = {
    version: hex.substring(0, 4),
    ciphers: hex.substring(at + 4, ciphersEnd),
    extensions: [],
    count: 0,
    isNamed: false,
    algorithms: '',
    protocol: '',
  };
  at = ciphersEnd + 2 + byteAt(hex, ciphersEnd) * 2;
  // A hello may end here.
  if (hex.length === at) return hello;
  if (hex.length < at + 4 || hex.length !== at + 4 + shortAt(hex, at) * 2) return undefined;
  return readExtensions(hello, hex, at + 4) ? hello : undefined;
}

function readExtensions(hello: Hello, hex: string, start: number): boolean {
  let at = start;
  while (at < hex.length) {
    if (hex.length < at + 8) return false;
    const name = hex.substring(at, at + 4);
    const from = at + 8;
    at = from + shortAt(hex, at + 4) * 2;
    if (hex.length < at || name === quicParameters) return false;
    if (isGrease(name)) continue;
    hello.count += 1;
    if (hello.count > extensionsMax) return false;
    if (name === serverName) hello.isNamed = true;
    else if (name !== alpn) hello.extensions.push(name);
    const isRead = name === alpn || name === signatureAlgorithms || name === supportedVersions;
    if (isRead && !readList(hello, name, hex.substring(from, at))) return false;
  }
  return true;
}

/** `data`: what the extension holds, a list with its length before it. */
function readList(hello: Hello, name: string, data: string): boolean {
  if (name === alpn) {
    const end = data.length > 6 ? 6 + byteAt(data, 4) * 2 : 6;
    hello.protocol = data.substring(6, end);
    return end <= data.length || data.length === 4;
  }
  if (name === signatureAlgorithms) {
    hello.algorithms = data.substring(4);
    return data.length >= 4 && hello.algorithms.length <= ciphersMax * 4;
  }
  const versions = data.length < 2 || data.length > 512 ? undefined : namesIn(data.substring(2));
  if (versions === undefined) return false;
  hello.version = '0000';
  for (const version of versions) if (version > hello.version) hello.version = version;
  return true;
}

/** Values of two bytes each, without those that clients send to keep servers tolerant (GREASE, RFC 8701). */
function namesIn(hex: string): string[] | undefined {
  if (hex.length % 4 !== 0) return undefined;
  const names: string[] = [];
  for (let at = 0; at < hex.length; at += 4) {
    const name = hex.substring(at, at + 4);
    if (!isGrease(name)) names.push(name);
  }
  return names;
}

const isGrease = (name: string): boolean =>
  name.substring(1, 2) === 'a' && name.substring(0, 2) === name.substring(2, 4);

/** First and last letter of the first protocol that is offered; where one of the two is none, their digits. */
function protocolMark(protocol: string): string {
  if (protocol === '') return '00';
  const first = byteAt(protocol, 0);
  const last = byteAt(protocol, protocol.length - 2);
  if (isAlphanumeric(first) && isAlphanumeric(last))
    return String.fromCharCode(first) + String.fromCharCode(last);
  return protocol.substring(0, 1) + protocol.substring(protocol.length - 1);
}

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
