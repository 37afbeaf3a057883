import * as ffi from 'ffi';
import * as ssl from 'ngx.ssl';

ffi.cdef(`
void *OPENSSL_sk_value(const void *stack, int index);
int X509_check_private_key(const void *certificate, const void *key);
int X509_certificate_type(const void *certificate, const void *key);
void ERR_clear_error(void);
`);

export interface TlsPair {
  chain: ssl.Chain;
  key: ssl.PrivateKey;
  /** The algorithm of the key, as OpenSSL numbers it. */
  keyType: number;
}

/** A certificate chain and its key in PEM, read; or what is wrong with them. */
export function parsePair(
  certificate: string,
  privateKey: string,
): LuaMultiReturn<[TlsPair | undefined, string | undefined]> {
  const [chain, chainProblem] = ssl.parse_pem_cert(certificate);
  if (chain === undefined) return $multi(undefined, `the certificate cannot be read: ${chainProblem}`);
  const [key, keyProblem] = ssl.parse_pem_priv_key(privateKey);
  if (key === undefined) return $multi(undefined, `the private key cannot be read: ${keyProblem}`);
  const leaf = ffi.C.OPENSSL_sk_value(chain, 0);
  const belongs = ffi.C.X509_check_private_key(leaf, key) === 1;
  const keyType = ffi.C.X509_certificate_type(leaf, key) % 16;
  // OpenSSL keeps what it found wrong in a queue, where nginx would come upon it in the next connection.
  ffi.C.ERR_clear_error();
  if (!belongs) return $multi(undefined, 'the private key does not belong to the certificate');
  return $multi({ chain, key, keyType }, undefined);
}

export function checkPair(certificate: string, privateKey: string): string | undefined {
  const [, problem] = parsePair(certificate, privateKey);
  return problem;
}

/** What is wrong with a list of authorities in PEM. */
export function checkAuthorities(pem: string): string | undefined {
  const [chain, problem] = ssl.parse_pem_cert(pem);
  ffi.C.ERR_clear_error();
  return chain === undefined ? `the authorities cannot be read: ${problem}` : undefined;
}
