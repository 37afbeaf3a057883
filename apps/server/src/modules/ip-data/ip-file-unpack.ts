import { gunzipSync } from 'node:zlib';

/** A MaxMind DB as publishers hand it out: as it is, packed by gzip, or in a tar archive that is. */
export function unpackIpFile(bytes: Buffer, bytesMax: number): Buffer {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isPacked ? gunzipSync(bytes, { maxOutputLength: bytesMax + 1_048_576 }) : bytes;
  return plain.toString('latin1', 257, 262) === 'ustar' ? fromTar(plain) : plain;
}

const block = 512;

/** The first file of the archive that is named as one. */
function fromTar(archive: Buffer): Buffer {
  for (let at = 0; at + block <= archive.length;) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8) || 0;
    if (name.endsWith('.mmdb')) return archive.subarray(at + block, at + block + size);
    at += block + Math.ceil(size / block) * block;
  }
  throw new Error('The archive holds no .mmdb file.');
}
