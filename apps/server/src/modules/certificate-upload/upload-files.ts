import { certificatesUploadedMax, type CertificateFileInput } from '@breakwater/contract';
import { createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../api-error.ts';
import {
  blocksIn,
  readCertificatePair,
  readPkcs12,
  type CertificatePair,
} from '../certificate/certificate.service.ts';

/** Files of any kind, sorted into pairs of a certificate and its key. Names of files say nothing: keys are matched. */

export interface FoundPair {
  pair: CertificatePair;
  files: string[];
}
export interface FileProblem {
  files: string[];
  issue: string;
}

interface Part<Value> {
  value: Value;
  file: string;
}
interface Found {
  certificates: Part<X509Certificate>[];
  keys: Part<KeyObject>[];
  problems: FileProblem[];
}

export async function readFiles(
  files: readonly CertificateFileInput[],
  password: string,
): Promise<{ pairs: FoundPair[]; problems: FileProblem[] }> {
  const found: Found = { certificates: [], keys: [], problems: [] };
  for (const file of files) {
    await readFile(found, file, password);
    // Many of them take their time, and others wait.
    await setImmediate();
  }
  const byKey = Map.groupBy(found.certificates, ({ value }) => publicKeyOf(value));
  const authorities = Map.groupBy(
    found.certificates.filter(({ value }) => value.ca),
    ({ value }) => value.subject,
  );
  const pairs = new Map<string, FoundPair>();
  const used = new Set<string>();
  for (const { value: key, file } of found.keys) {
    const own = publicKeyText(createPublicKey(key));
    if (used.has(own)) continue;
    used.add(own);
    const leaves = byKey.get(own) ?? [];
    if (leaves.length === 0) found.problems.push({ files: [file], issue: 'key_without_certificate' });
    else addPair(pairs, found.problems, { leaves, chain: chainAbove(leaves, authorities), key, file });
    await setImmediate();
  }
  for (const [own, leaves] of byKey)
    if (!used.has(own) && !leaves.every(({ value }) => value.ca))
      found.problems.push({ files: filesOf(leaves), issue: 'certificate_without_key' });
  return { pairs: [...pairs.values()], problems: found.problems };
}

/** Certificates and those above them. */
const partsMax = 500;

async function readFile(
  found: Found,
  { name, pem, pfx }: CertificateFileInput,
  password: string,
): Promise<void> {
  const add = (issue: string) => found.problems.push({ files: [name], issue });
  let text = pem ?? '';
  if (pfx !== undefined) {
    const content = await readPkcs12(pfx, password);
    if ('problem' in content) return void add(content.problem);
    text = content.certificates + content.keys;
  }
  const blocks = blocksIn(text);
  let count = 0;
  for (const { label, text: block } of blocks) {
    const isFull = found.certificates.length >= partsMax || found.keys.length > certificatesUploadedMax;
    if (isFull) return void add(`certificate_parts:${certificatesUploadedMax}`);
    try {
      if (label === 'CERTIFICATE') found.certificates.push({ value: new X509Certificate(block), file: name });
      else if (!label.endsWith('PRIVATE KEY')) continue;
      else if (label.startsWith('ENCRYPTED') || block.includes('4,ENCRYPTED')) add('private_key_encrypted');
      else found.keys.push({ value: createPrivateKey(block), file: name });
      count += 1;
    } catch {
      add(label === 'CERTIFICATE' ? 'certificate_invalid' : 'private_key_invalid');
      count += 1;
    }
  }
  if (count === 0) add('certificate_file_empty');
}

interface Candidate {
  leaves: readonly Part<X509Certificate>[];
  /** What may lead from them to their roots. */
  chain: readonly Part<X509Certificate>[];
  key: KeyObject;
  file: string;
}

/** As if somebody had uploaded this one by itself: read, put in order and checked in the same way. */
function addPair(
  pairs: Map<string, FoundPair>,
  problems: FileProblem[],
  { leaves, chain, key, file }: Candidate,
): void {
  const files = [...new Set([...filesOf(leaves), file])];
  const texts = new Map([...leaves, ...chain].map(({ value }) => [value.fingerprint256, value]));
  const pem = [...texts.values()].map((one) => one.toString()).join('');
  try {
    const pair = readCertificatePair(pem, key.export({ type: 'pkcs8', format: 'pem' }).toString());
    pairs.set(pair.fingerprint, { pair, files });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problems.push({ files, issue: error.fields[0]?.issue ?? 'certificate_invalid' });
  }
}

/** By their names, so that each pair is read with little besides. */
function chainAbove(
  leaves: readonly Part<X509Certificate>[],
  authorities: ReadonlyMap<string, Part<X509Certificate>[]>,
): Part<X509Certificate>[] {
  const above: Part<X509Certificate>[] = [];
  const seen = new Set<string>();
  const waiting = leaves.map(({ value }) => value.issuer);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const found = authorities.get(name) ?? [];
    above.push(...found);
    waiting.push(...found.map(({ value }) => value.issuer));
  }
  return above;
}

const filesOf = (parts: readonly Part<unknown>[]): string[] => [...new Set(parts.map(({ file }) => file))];

const publicKeyText = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).toString('base64');
/** Of kinds that OpenSSL does not know there is none: nobody's key matches it. */
function publicKeyOf(one: X509Certificate): string {
  try {
    return publicKeyText(one.publicKey);
  } catch {
    return one.fingerprint256;
  }
}
