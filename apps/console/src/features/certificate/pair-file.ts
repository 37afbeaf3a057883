/**
 * Files of certificates: what each is, and where it belongs in a form. They are told by what is in them, since
 * names and types say little: `.crt` can be PEM or DER.
 */

export const fileBytesMax = 100_000;

export interface PairFile {
  field: 'certificate' | 'private_key' | 'pfx';
  text: string;
}

/** Answers text in any case: DER becomes PEM, and PKCS#12 becomes base64. */
export async function readPairFile(file: Blob): Promise<PairFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Both are a sequence of DER; the first thing in a PKCS#12 file is its version, 3 (RFC 7292 §4).
  const inner = bytes[0] === 0x30 ? bytes.subarray(lengthOf(bytes), lengthOf(bytes) + 3).join() : '';
  if (inner === '2,1,3') return { field: 'pfx', text: toBase64(bytes) };
  const text = new TextDecoder().decode(bytes);
  if (bytes[0] === 0x30 && !text.includes('-----BEGIN')) return { field: 'certificate', text: pemOf(bytes) };
  const isKey = text.includes('PRIVATE KEY-----') && !text.includes('BEGIN CERTIFICATE');
  return { field: isKey ? 'private_key' : 'certificate', text };
}

/**
 * Bytes of the tag and the length of what the bytes begin with. Above 0x80 the second byte says how many bytes of
 * length follow (X.690 §8.1.3.5).
 */
const lengthOf = (bytes: Uint8Array): number => {
  const length = bytes[1] ?? 0;
  return length > 0x80 ? 2 + (length & 0x7f) : 2;
};

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

const pemOf = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${toBase64(bytes).replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
