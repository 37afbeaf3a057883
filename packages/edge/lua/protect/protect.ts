import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { isAcmeChallenge } from '@breakwater/policy/http/tls';
import type { PreparedMatchers } from '@breakwater/policy/protect/matchers';
import { matchersOf, matchersPage } from './matchers.ts';

/** Protection of a site, made ready from its document: what each stage has of it. A site with none of it has no `Protection`. */
export interface Protection {
  matchers: PreparedMatchers | undefined;
}

/** What stages tell those after them. Of one request, and gone when it goes to a place of its own. */
export interface Passing {
  /** The stages that follow are not asked. */
  passesAll: boolean;
}

/** The name of a page in the way, or nothing. What is decided stands in variables by then (`note.ts`). */
type Stage = (this: void, protection: Protection, passing: Passing) => string | undefined;

/** In the order in which they are asked. */
const stages: Stage[] = [matchersPage];

export function protectionOf(document: EffectiveSite): Protection | undefined {
  const protection: Protection = { matchers: matchersOf(document) };
  for (const name in protection) if (protection[name as keyof Protection] !== undefined) return protection;
  return undefined;
}

/** The page that a request gets in place of the site, if any. */
export function protectedPage(protection: Protection): string | undefined {
  // An authority that proves the domain comes from anywhere.
  if (isAcmeChallenge(ngx.var.request_uri!)) return undefined;
  const passing: Passing = { passesAll: false };
  for (const stage of stages) {
    const page = stage(protection, passing);
    if (page !== undefined) return page;
    if (passing.passesAll) return undefined;
  }
  return undefined;
}
