import type { CertificateDocument } from '@breakwater/contract/edge-document';
import * as ffi from 'ffi';
import * as ocsp from 'ngx.ocsp';
import * as ssl from 'ngx.ssl';
import { decodeJson } from '../lib/json.ts';
import * as store from '../documents/store.ts';

ffi.cdef(`
void *d2i_OCSP_RESPONSE(void *into, const unsigned char **data, long length);
void *OCSP_response_get1_basic(void *response);
void *OCSP_resp_get0(void *basic, int index);
int OCSP_single_get0_status(void *single, int *reason, void **revoked, void **from, void **until);
int ASN1_TIME_diff(int *days, int *seconds, const void *from, const void *to);
void OCSP_BASICRESP_free(void *basic);
void OCSP_RESPONSE_free(void *response);
`);

/**
 * Stapled answers of certificate authorities (RFC 6066 §8). The agent fetches them; OpenSSL here writes the questions and
 * checks the answers. An answer belongs to the very certificate it was given for, and goes when its time is over.
 */
const answers = ngx.shared.edge_ocsp;
const answerBytesMax = 64 * 1024;
const secondsPerDay = 86_400;

export function staple(id: string): void {
  const hash = store.hashOf('certificate', id);
  const answer = hash === undefined ? undefined : answers.get(`${id} ${hash}`);
  if (answer === undefined) return;
  const [isSet, problem] = ocsp.set_ocsp_status_resp(answer as string);
  if (isSet === undefined) ngx.log(ngx.ERR, 'certificate ', id, ' is not stapled: ', problem ?? '');
}

export interface OcspQuestion {
  hash: string;
  /** Absent where the certificate names no responder, or its issuer is not in the chain. */
  responder?: string;
  /** In base64. */
  request?: string;
  error?: string;
}

/** What to ask about a certificate in service, and whom. */
export function questionOf(id: string): OcspQuestion | undefined {
  const hash = store.hashOf('certificate', id);
  const [chain, problem] = chainOf(id);
  if (hash === undefined) return undefined;
  if (chain === undefined) return { hash, error: problem ?? '' };
  const [responder, noResponder] = ocsp.get_ocsp_responder_from_der_chain(chain);
  if (responder === undefined) return noResponder === undefined ? { hash } : { hash, error: noResponder };
  const [request, noRequest] = ocsp.create_ocsp_request(chain);
  if (request === undefined) return { hash, error: noRequest ?? '' };
  return { hash, responder, request: ngx.encode_base64(request) };
}

export interface OcspVerdict {
  /** Seconds until the answer is over. */
  seconds?: number;
  error?: string;
}

/** Takes an answer into use if OpenSSL finds it good: of the issuer, about this certificate, in time, not revoked. */
export function takeAnswer(id: string, hash: string, base64: string): OcspVerdict {
  const answer = ngx.decode_base64(base64);
  if (answer === undefined || answer.length > answerBytesMax) return { error: 'the answer cannot be read' };
  if (store.hashOf('certificate', id) !== hash) return { error: 'the certificate has changed' };
  const [chain, problem] = chainOf(id);
  if (chain === undefined) return { error: problem ?? '' };
  const [isGood, why] = ocsp.validate_ocsp_response(answer, chain);
  if (isGood === undefined) return { error: why ?? '' };
  const seconds = secondsLeft(answer);
  if (seconds <= 0) return { error: 'the answer is over' };
  answers.set(`${id} ${hash}`, answer, seconds);
  return { seconds };
}

function chainOf(id: string): LuaMultiReturn<[string | undefined, string | undefined]> {
  const body = store.bodyOf('certificate', id);
  if (body === undefined) return $multi(undefined, 'the certificate is not in service');
  const [document] = decodeJson(body);
  return ssl.cert_pem_to_der((document as CertificateDocument).certificate);
}

/** Until `nextUpdate`; an answer without one is good for a day. */
function secondsLeft(answer: string): number {
  const data = ffi.new('const unsigned char *[1]');
  data[0] = ffi.cast('const unsigned char *', answer) as unknown as number;
  const response = ffi.C.d2i_OCSP_RESPONSE(undefined, data, answer.length);
  const basic = ffi.C.OCSP_response_get1_basic(response);
  const until = ffi.new('void *[1]');
  ffi.C.OCSP_single_get0_status(ffi.C.OCSP_resp_get0(basic, 0), undefined, undefined, undefined, until);
  let seconds = secondsPerDay;
  const days = ffi.new('int[1]');
  const rest = ffi.new('int[1]');
  // A null pointer equals nil in LuaJIT.
  if ((until[0] as unknown) !== undefined && ffi.C.ASN1_TIME_diff(days, rest, undefined, until[0]) === 1)
    seconds = days[0] * secondsPerDay + rest[0];
  ffi.C.OCSP_BASICRESP_free(basic);
  ffi.C.OCSP_RESPONSE_free(response);
  return seconds;
}
