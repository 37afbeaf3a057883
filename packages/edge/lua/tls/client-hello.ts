import { ja4Of } from '@breakwater/policy/http/ja4';
import * as ffi from 'ffi';
import { isJa4Wanted } from '../documents/epoch.ts';
import { sha256Hex } from '../lib/digest.ts';
import { connectionOf } from './tls-settings.ts';

ffi.cdef(`
int SSL_client_hello_isv2(void *connection);
size_t SSL_client_hello_get0_random(void *connection, const unsigned char **out);
size_t SSL_client_hello_get0_session_id(void *connection, const unsigned char **out);
size_t SSL_client_hello_get0_ciphers(void *connection, const unsigned char **out);
int SSL_client_hello_get0_ext(void *connection, unsigned int type, const unsigned char **out, size_t *length);
int SSL_SESSION_set1_ticket_appdata(void *session, const void *data, size_t length);
int SSL_SESSION_get0_ticket_appdata(void *session, void **data, size_t *length);
`);

/**
 * The JA4 of visitors' connections. It is worked out when a session begins and kept in the session, hence in the tickets that
 * go on with it: a session that is gone on with, at whatever node, has the fingerprint that it began with.
 */

const place = ffi.new('const unsigned char *[1]');
const dataOut = ffi.new('void *[1]');
const sizeOut = ffi.new('size_t[1]');
const randomLength = 32;
/** Of message type 1, a client's hello, and length. */
const headerLength = 4;
const helloMessage = 1;
const preSharedKey = 41;
const sessionTicket = 35;
const helloBytesMax = 16_384;
const dumped = ffi.new(`unsigned char[${2 * 16_384}]`);

/** Of the handshake whose hello came last: its certificate is chosen before a worker goes on with another, if it is at all. */
let fingerprint: string | undefined;

/** At the hello. It may turn out to go on with a session, which has a fingerprint already. */
export function noteHello(connection: ffi.Pointer): void {
  const hello = isJa4Wanted() ? helloOf(connection) : undefined;
  fingerprint = hello === undefined ? undefined : ja4Of(hello, sha256Hex);
}

/** At the hello: whether it may turn out to go on with a session, by a key (RFC 8446 §4.2.11) or a ticket (RFC 5077 §3.2). */
export function offersSession(connection: ffi.Pointer): boolean {
  if (ffi.C.SSL_client_hello_get0_ext(connection, preSharedKey, place, sizeOut) !== 0) return true;
  return (
    ffi.C.SSL_client_hello_get0_ext(connection, sessionTicket, place, sizeOut) !== 0 &&
    tonumber(sizeOut[0])! > 0
  );
}

/** At the certificate, which only a session that begins gets to. */
export function keepFingerprint(): void {
  if (fingerprint === undefined) return;
  const connection = connectionOf();
  if (connection === undefined) return;
  const session = ffi.C.SSL_get_session(connection);
  if (session !== undefined) ffi.C.SSL_SESSION_set1_ticket_appdata(session, fingerprint, fingerprint.length);
  fingerprint = undefined;
}

/** Of the connection that the request under way came on; nothing without TLS, over QUIC, and where none could be made. */
export function ja4OfRequest(): string | undefined {
  const connection = connectionOf();
  if (connection === undefined) return undefined;
  const session = ffi.C.SSL_get_session(connection);
  if (session === undefined) return undefined;
  const found = ffi.C.SSL_SESSION_get0_ticket_appdata(session, dataOut, sizeOut);
  const length = tonumber(sizeOut[0])!;
  return found === 0 || length === 0 ? undefined : ffi.string(dataOut[0] as unknown as ffi.Pointer, length);
}

/**
 * The hello as text, without its header. OpenSSL tells of extensions those alone that it knows itself, which are too few; but the
 * ciphers that it points to stand in the message as it came, between what it tells as well. Where the message is not
 * found around them there is none.
 */
function helloOf(connection: ffi.Pointer): string | undefined {
  if (ffi.C.SSL_client_hello_isv2(connection) !== 0) return undefined;
  const sessionIdLength = tonumber(ffi.C.SSL_client_hello_get0_session_id(connection, place))!;
  if (tonumber(ffi.C.SSL_client_hello_get0_random(connection, place)) !== randomLength) return undefined;
  const random = ffi.string(pointed(), randomLength);
  if (tonumber(ffi.C.SSL_client_hello_get0_ciphers(connection, place)) === 0) return undefined;
  // Version, random, the length of the session's name, the name, and the length of the ciphers.
  const body = plus(pointed(), -(2 + randomLength + 1 + sessionIdLength + 2));
  if (ffi.string(plus(body, 2), randomLength) !== random) return undefined;
  const header = ffi.cast('const unsigned char *', plus(body, -headerLength)) as unknown as ffi.Numbers;
  const length = header.get(1) * 65_536 + header.get(2) * 256 + header.get(3);
  if (header[0] !== helloMessage || length > helloBytesMax) return undefined;
  ffi.C.ngx_hex_dump(dumped, body, length);
  return ffi.string(dumped, 2 * length);
}

const pointed = (): ffi.Pointer => place[0] as unknown as ffi.Pointer;
