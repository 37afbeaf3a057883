import type { ConditionGroup } from '@breakwater/contract/condition';
import type { BrowserVerifyRule } from '@breakwater/contract/site-config/browser-verify';
import { isUnder } from '../access/access.ts';
import { isInSet, packAddresses, type AddressSet } from '../address/address-set.ts';
import { parseAddress } from '../address/ip.ts';
import type { AddressLookups } from '../conditions/address-fact.ts';
import {
  evaluateCondition,
  prepareCondition,
  type Asked,
  type PreparedCondition,
} from '../conditions/condition.ts';
import { pathForms } from '../http/path-forms.ts';

/** Who is asked for a pass. */

/** The condition is one of any depth: replay makes one that is deeper than what people may write. */
type VerifySettings = Omit<BrowserVerifyRule, 'condition'> & { condition?: ConditionGroup | undefined };

export interface Verification {
  settings: VerifySettings;
  condition: PreparedCondition | undefined;
  addresses: AddressSet | undefined;
}

/** Nothing where neither the site nor a level says anything of it. */
export function prepareVerification(settings: VerifySettings | undefined): Verification | undefined {
  if (settings === undefined) return undefined;
  const { condition, exempt_addresses: exempt } = settings;
  return {
    settings,
    condition: condition === undefined ? undefined : prepareCondition(condition),
    addresses: exempt.length === 0 ? undefined : packAddresses(exempt),
  };
}

export interface VerifiedRequest {
  /** As it was sent, without the query. */
  path: string;
  address: string;
  isRobot: (this: void) => boolean;
  asked: Asked;
}

/** Where a path could be another or a condition cannot be decided, the visitor is asked. */
export function isToBeAsked(
  { settings, condition, addresses }: Verification,
  { path, address: text, isRobot, asked }: VerifiedRequest,
  lookups: AddressLookups,
): boolean {
  if (!settings.enabled) return false;
  const { only_paths: only, except_paths: except, address_lists: lists } = settings;
  if (only.length > 0 || except.length > 0) if (!isUnder(only, except, pathForms(path), true)) return false;
  if (addresses !== undefined || lists.length > 0) {
    const address = parseAddress(text);
    if (address !== undefined) {
      if (addresses !== undefined && isInSet(address, addresses)) return false;
      for (const list of lists) if (lookups.isListed(list, address)) return false;
    }
  }
  if (settings.exempt_robots && isRobot()) return false;
  return condition === undefined || evaluateCondition(condition, asked) !== 0;
}
