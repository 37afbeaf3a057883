import type { KnownVulnerabilityDocument } from '@breakwater/contract/known-vulnerability';
import { forgetHeaders } from '@breakwater/policy/detect/harmless';
import { prepareKnown, type PreparedKnown } from '@breakwater/policy/detect/known-rules';
import { epoch as currentEpoch } from './epoch.ts';
import { decodeJson } from '../lib/json.ts';
import * as store from './store.ts';

/** The rules for known vulnerabilities as this worker holds them. */

const kind = 'known_vulnerability';
const key = 'rules';
let epoch = -1;
let revision: number | undefined;
let known: PreparedKnown | undefined;

/** Nothing where none have come yet. */
export function knownRules(): PreparedKnown | undefined {
  const now = currentEpoch();
  if (now !== epoch) {
    epoch = now;
    renew();
  }
  return known;
}

function renew(): void {
  const current = store.revisionOf(kind, key);
  if (current === revision) return;
  revision = current;
  const body = current === undefined ? undefined : store.bodyOf(kind, key);
  known = body === undefined ? undefined : read(body);
  forgetHeaders();
}

function read(body: string): PreparedKnown {
  const [decoded] = decodeJson(body);
  return prepareKnown((decoded as KnownVulnerabilityDocument).rules);
}
