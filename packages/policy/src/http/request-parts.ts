import { percentDecode } from './path.ts';
import { lowerAscii, trimOws } from '../lib/text.ts';

/** Parts of a request that conditions look at, taken from its header as it came. */

/** A name or a value of a query as forms write it: `+` is a space. */
export function decodeArgument(text: string): string {
  if (text.indexOf('+') < 0) return percentDecode(text);
  return percentDecode(text.split('+').join(' '));
}

/** The values of an argument, in their order; absent where it is not there. */
export function argumentValues(query: string, name: string): string[] | undefined {
  let values: string[] | undefined;
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    if (part === '' || decodeArgument(equals < 0 ? part : part.substring(0, equals)) !== name) continue;
    values ??= [];
    values.push(equals < 0 ? '' : decodeArgument(part.substring(equals + 1)));
  }
  return values;
}

export function argumentNames(query: string): string[] {
  const names: string[] = [];
  for (const part of query.split('&')) {
    const equals = part.indexOf('=');
    if (part !== '') names.push(decodeArgument(equals < 0 ? part : part.substring(0, equals)));
  }
  return names;
}

/** The values of a cookie in a `Cookie` field; browsers may send several of one name. */
export function cookieValues(field: string, name: string): string[] | undefined {
  let values: string[] | undefined;
  for (const item of field.split(';')) {
    const equals = item.indexOf('=');
    if (equals < 0 || trimOws(item.substring(0, equals)) !== name) continue;
    values ??= [];
    values.push(trimOws(item.substring(equals + 1)));
  }
  return values;
}

export function cookieNames(field: string): string[] {
  const names: string[] = [];
  for (const item of field.split(';')) {
    const equals = item.indexOf('=');
    const name = trimOws(equals < 0 ? item : item.substring(0, equals));
    if (name !== '') names.push(name);
  }
  return names;
}

/** The host of an address such as `https://a.example:8443/x`, in lower case without its port and a dot at its end; empty where it has none. */
export function hostOfAddress(address: string): string {
  const scheme = address.indexOf('://');
  if (scheme < 0) return '';
  let end = address.length;
  for (const mark of ['/', '?', '#', '\\']) {
    const found = address.indexOf(mark, scheme + 3);
    if (found >= 0 && found < end) end = found;
  }
  let host = address.substring(scheme + 3, end);
  let at = host.indexOf('@');
  while (at >= 0) {
    host = host.substring(at + 1);
    at = host.indexOf('@');
  }
  const bracket = host.indexOf(']');
  const colon = host.indexOf(':', bracket < 0 ? 0 : bracket);
  if (colon >= 0) host = host.substring(0, colon);
  // A name with a dot at its end is the same host to browsers.
  return lowerAscii(host.endsWith('.') ? host.substring(0, host.length - 1) : host);
}

/** As conditions spell a protocol: `HTTP/1.1` is 1.1, `HTTP/2.0` is 2. */
export function httpVersion(protocol: string): string {
  const version = protocol.startsWith('HTTP/') ? protocol.substring(5) : protocol;
  return version.endsWith('.0') && version !== '1.0' ? version.substring(0, version.length - 2) : version;
}
