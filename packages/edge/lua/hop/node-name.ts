import * as ffi from 'ffi';
import * as ssl from 'ngx.ssl';
import { nameOfNode } from './shields.ts';

ffi.cdef(
  'int X509_check_host(const void *certificate, const char *name, size_t length, unsigned int flags, char **peer);',
);

/** Certificates that were read, by fingerprint, and of which node they are. */
let known: Record<string, number> = {};
let count = 0;
const knownMax = 5000;

/** That the certificate of this connection, which nginx has verified, is of the node, by its alternative names too. */
export function isNodeOf(id: number): boolean {
  const variables = ngx.var;
  const fingerprint = variables.ssl_client_fingerprint ?? '';
  if (known[fingerprint] === id) return true;
  const [chain] = ssl.parse_pem_cert(variables.ssl_client_raw_cert ?? '');
  if (chain === undefined) return false;
  const name = nameOfNode(id);
  const leaf = ffi.C.OPENSSL_sk_value(chain, 0);
  if (ffi.C.X509_check_host(leaf, name, name.length, 0, undefined) !== 1) return false;
  count += 1;
  if (count > knownMax) {
    known = {};
    count = 1;
  }
  known[fingerprint] = id;
  return true;
}
