/** What other modules may ask of who holds which names. */

export { blacklistedOf } from './blacklisted.ts';
export { lacksFiling, noteUnfiled } from './unfiled.ts';
export { isContested, isServed, isWithheld, lockClaims, overlapsOf } from './site-overlap.ts';
export {
  claimDomains,
  followsProof,
  newProofs,
  proofStatus,
  settleDomains,
  type Evidence,
  type Proof,
  type Reasons,
} from './site-proof.ts';
