import type { EffectiveSite } from '@breakwater/contract/edge-document';
import type { ClientCertificate } from '@breakwater/contract/site-config/certificate-settings';
import { cipherLists } from '@breakwater/policy/http/tls';
import * as ffi from 'ffi';
import * as ssl from 'ngx.ssl';
import * as clientHello from 'ngx.ssl.clienthello';
import { get_request } from 'resty.core.base';
import { isJa4Wanted } from '../documents/epoch.ts';

ffi.cdef(`
void *ngx_http_lua_ffi_get_req_ssl_pointer(void *request);
int SSL_set_cipher_list(void *connection, const char *list);
int SSL_set_session_id_context(void *connection, const char *context, unsigned int length);
void *SSL_get_session(const void *connection);
const unsigned char *SSL_SESSION_get0_id_context(const void *session, unsigned int *length);
`);

/** What a site asks of a handshake beyond the node's own settings. */
export interface SiteTls {
  /**
   * Names site and settings in the session. A session that was begun for other settings, for another site by its name or
   * before a change, is neither resumed for this one nor good for its requests.
   */
  binding: string;
  /** The same of sessions that keep a fingerprint (`client-hello.ts`). */
  keptBinding: string;
  protocols: string[];
  ciphers: string | undefined;
  client: ClientCertificate | undefined;
  authorities: ssl.Chain | undefined;
}

const versions = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
const defaults = { min: 'TLSv1.2', max: 'TLSv1.3', ciphers: 'compatible' };
const bindingLength = 16;
const lengthOut = ffi.new('unsigned int[1]');

/** Nothing where the node's own settings are meant, which is so for most sites. */
export function prepareTls(
  key: string,
  settings: EffectiveSite['certificate_settings'],
): SiteTls | undefined {
  const min = settings.min_version ?? defaults.min;
  const max = settings.max_version ?? defaults.max;
  const level = settings.cipher_level ?? defaults.ciphers;
  const wanted = settings.client_certificate;
  const client = wanted === undefined || wanted.mode === 'off' ? undefined : wanted;
  if (min === defaults.min && max === defaults.max && level === defaults.ciphers && client === undefined)
    return undefined;
  const protocols: string[] = [];
  let isWithin = false;
  for (const version of versions) {
    if (version === min) isWithin = true;
    if (isWithin) protocols.push(version);
    if (version === max) isWithin = false;
  }
  const [authorities] = client === undefined ? [undefined] : ssl.parse_pem_cert(client.ca);
  const checked = client === undefined ? '' : `${client.mode} ${client.depth} ${client.ca}`;
  const asked = `${key} ${min} ${max} ${level} ${checked}`;
  return {
    binding: ngx.md5_bin(asked),
    keptBinding: ngx.md5_bin(`${asked} ja4`),
    protocols,
    ciphers: level === defaults.ciphers ? undefined : cipherLists[level],
    client,
    authorities,
  };
}

/** Before anything of the handshake is decided: versions, ciphers, and which sessions may be resumed. */
export function demand(tls: SiteTls, connection: ffi.Pointer): void {
  clientHello.set_protocols(tls.protocols);
  if (tls.ciphers !== undefined) ffi.C.SSL_set_cipher_list(connection, tls.ciphers);
  ffi.C.SSL_set_session_id_context(connection, isJa4Wanted() ? tls.keptBinding : tls.binding, bindingLength);
}

/**
 * As most sites have it. nginx names the session by the node's own certificate, so another node of the line group would not
 * resume it. Where fingerprints are wanted no session is gone on with that has none.
 */
export function demandNothing(connection: ffi.Pointer): void {
  const context = isJa4Wanted() ? 'breakwater, ja4 ' : 'breakwater edges';
  ffi.C.SSL_set_session_id_context(connection, context, bindingLength);
}

/** Asks the visitor for a certificate. Whether a good one came is for `isMadeFor` and the request to see. */
export function askForCertificate(tls: SiteTls): void {
  if (tls.client === undefined || tls.authorities === undefined) return;
  const [isSet, problem] = ssl.verify_client(tls.authorities, tls.client.depth);
  if (isSet === undefined) ngx.log(ngx.ERR, 'visitors are not asked for a certificate: ', problem ?? '');
}

/** Whether the handshake of this request was made for these settings: not so when it named another site. */
export function isMadeFor(tls: SiteTls): boolean {
  const connection = connectionOf();
  if (connection === undefined) return false;
  const session = ffi.C.SSL_get_session(connection);
  if (session === undefined) return false;
  const context = ffi.C.SSL_SESSION_get0_id_context(session, lengthOut);
  if (lengthOut[0] !== bindingLength) return false;
  const binding = ffi.string(context, bindingLength);
  return binding === tls.binding || binding === tls.keptBinding;
}

/** Of the handshake or the request under way. */
export function connectionOf(): ffi.Pointer | undefined {
  const request = get_request();
  return request === undefined ? undefined : ffi.C.ngx_http_lua_ffi_get_req_ssl_pointer(request);
}
