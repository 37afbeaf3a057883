import { parentPort, workerData } from 'node:worker_threads';
import forge from 'node-forge';
import type { Pkcs12Answer } from './pkcs12.ts';

/** Run in a thread of its own: how long a file takes is its maker's choice. */

const { asn1, pkcs12, pki } = forge;

function read({ base64, password }: { base64: string; password: string }): Pkcs12Answer {
  const bytes = forge.util.decode64(base64);
  let file: forge.asn1.Asn1;
  try {
    file = asn1.fromDer(bytes);
  } catch {
    return { problem: 'pfx_invalid' };
  }
  try {
    return contentOf(file, password);
  } catch (error) {
    const isPassword =
      error instanceof Error && /invalid password|could not be verified/i.test(error.message);
    return { problem: isPassword ? 'pfx_password' : 'pfx_invalid' };
  }
}

/**
 * Older ciphers take the password in UTF-16, today's in UTF-8 (RFC 7292 §B.1, RFC 8018 §3): the library has one for both, so
 * that one with other letters than those of ASCII is tried again, after the file's own check of it has passed.
 */
function contentOf(file: forge.asn1.Asn1, password: string): Pkcs12Answer {
  try {
    return contentIn(pkcs12.pkcs12FromAsn1(file, false, password));
  } catch (error) {
    const encoded = forge.util.encodeUtf8(password);
    if (encoded === password || isMacError(error)) throw error;
    (file.value as forge.asn1.Asn1[]).splice(2);
    return contentIn(pkcs12.pkcs12FromAsn1(file, false, encoded));
  }
}

const isMacError = (error: unknown): boolean => error instanceof Error && error.message.includes('MAC');

const pem = (label: string, value: forge.asn1.Asn1): string =>
  forge.pem.encode({ type: label, body: asn1.toDer(value).getBytes() });

function contentIn(file: forge.pkcs12.Pkcs12Pfx): Pkcs12Answer {
  const { certBag, keyBag, pkcs8ShroudedKeyBag } = pki.oids;
  const bags = file.safeContents.flatMap((content) => content.safeBags);
  // Of other kinds than RSA it knows no more than where they stand.
  const certificates = bags
    .filter(({ type }) => type === certBag)
    .map(({ cert, asn1: raw }) => pem('CERTIFICATE', cert ? pki.certificateToAsn1(cert) : raw));
  const keys = bags
    .filter(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag)
    .map(({ key, asn1: raw }) =>
      pem('PRIVATE KEY', key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(key)) : raw),
    );
  return { certificates: certificates.join(''), keys: keys.join('') };
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's port is no window: it takes no origin.
parentPort?.postMessage(read(workerData as { base64: string; password: string }));
