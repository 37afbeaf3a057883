import type { EffectiveSite } from '@breakwater/contract/edge-document';
import { prepareAddressRule, type AddressRule } from '@breakwater/policy/address/client-address';
import { isListed } from '../documents/address-lists.ts';

/** Whose word counts on who the visitor is; nothing where the socket's address is the visitor's. */
export function addressRuleOf({ real_ip: config }: EffectiveSite): AddressRule | undefined {
  return config === undefined || config.mode === 'socket' ? undefined : prepareAddressRule(config, isListed);
}
