import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { CertificateKey, IssueKey } from '@breakwater/contract';
import { invalid } from '../../api-error.ts';

/** Chains of certificates: put in order, checked, and what is to be said of them. */

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  one.checkIssued(issuer) && one.verify(issuer.publicKey);
const isSelfSigned = (one: X509Certificate): boolean => isIssuedBy(one, one);
const endOf = (one: X509Certificate): number => Date.parse(one.validTo);

/** What leads from a certificate towards its root, out of these. The root is left out, for visitors have it. */
export function chainOf(leaf: X509Certificate, among: readonly X509Certificate[]): X509Certificate[] {
  const authorities = among.filter((one) => one.ca).toSorted((one, other) => endOf(other) - endOf(one));
  const chain = [leaf];
  for (let last = leaf; !isSelfSigned(last); last = chain.at(-1)!) {
    const issuer = authorities.find((one) => isIssuedBy(last, one));
    // One that issued what issued it ends the chain as well.
    if (!issuer || chain.some((one) => one.fingerprint256 === issuer.fingerprint256)) break;
    chain.push(issuer);
  }
  // Who issued the certificate itself stays: without it nodes cannot ask whether it was revoked.
  if (chain.length > 2 && isSelfSigned(chain.at(-1)!)) chain.pop();
  return chain;
}

/** Purposes of a key, as the extended key usage extension names them (RFC 5280 §4.2.1.12). */
const serverPurposes = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

/** Refuses what no visitor could be served with, at `certificate`. */
export function checkChain(chain: readonly X509Certificate[]): void {
  const leaf = chain[0]!;
  const { key_type: type, key_bits: bits } = keyOf(leaf);
  const refusal = ((): IssueKey | undefined => {
    if (endOf(leaf) <= Date.now()) return 'certificate_expired';
    if (leaf.keyUsage?.every((purpose) => !serverPurposes.includes(purpose))) return 'certificate_purpose';
    if (type === 'other') return 'certificate_key_kind';
    if (type === 'rsa' && bits < 2048) return 'certificate_key_weak';
    // What a root says of itself nobody relies on.
    const signed = chain.filter((one, index) => index === 0 || !isSelfSigned(one));
    return signed.some(({ signatureAlgorithm: name = '' }) => /md[245]|sha-?1(?!\d)/i.test(name))
      ? 'certificate_signature_weak'
      : undefined;
  })();
  if (refusal) throw invalid('certificate', refusal);
}

const curveBits: Record<string, number> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };

/** Keys that nodes can serve with; any other is `other`. */
export function keyOf({ publicKey }: X509Certificate): CertificateKey {
  const { modulusLength = 0, namedCurve = '' } = publicKey.asymmetricKeyDetails ?? {};
  if (publicKey.asymmetricKeyType === 'rsa') return { key_type: 'rsa', key_bits: modulusLength };
  const bits = publicKey.asymmetricKeyType === 'ec' ? curveBits[namedCurve] : undefined;
  return bits === undefined ? { key_type: 'other', key_bits: 0 } : { key_type: 'ecdsa', key_bits: bits };
}

const dayMs = 86_400_000;
/** What browsers take of authorities that they know (Baseline Requirements §6.3.2 as of September 2020). */
const daysMax = 398;

/** What visitors may stumble over, though nodes serve it. */
export function warningsOf(chain: readonly X509Certificate[], now: number): IssueKey[] {
  const leaf = chain[0]!;
  const [from, until] = [Date.parse(leaf.validFrom), endOf(leaf)];
  const isAlone = isSelfSigned(leaf);
  const isKnown = !isAlone && leadsToKnownRoot(chain.at(-1)!);
  const said: [IssueKey, boolean][] = [
    ['certificate_self_signed', isAlone],
    ['certificate_chain_incomplete', !isAlone && !isKnown],
    ['certificate_early', from > now],
    ['certificate_long', until - from > (daysMax + 1) * dayMs],
    ['certificate_common_name', leaf.subjectAltName === undefined],
  ];
  return said.flatMap(([issue, holds]) => (holds ? [issue] : []));
}

/** Whether browsers can get to an authority that they know, by the list that comes with Node (Mozilla's). */
function leadsToKnownRoot(last: X509Certificate): boolean {
  roots ??= Map.groupBy(
    rootCertificates.map((pem) => new X509Certificate(pem)),
    ({ subject }) => subject,
  );
  const isRoot = roots.get(last.subject)?.some((root) => root.fingerprint256 === last.fingerprint256);
  return isRoot === true || roots.get(last.issuer)?.some((root) => isIssuedBy(last, root)) === true;
}
let roots: Map<string, X509Certificate[]> | undefined;
