import type { Site } from '@breakwater/contract';

/** What can be done with a site as a whole. */
export const siteActions = [
  'online',
  'offline',
  'suspend',
  'refresh',
  'resync',
  'remove',
  'forceRemove',
] as const;
export type SiteAction = (typeof siteActions)[number];

/** Why not, as a key of the texts; `absent`: there is nothing to be done. */
type Denial = 'absent' | 'noPermission' | 'removingReason' | 'causeStands' | 'awaitingProof';

/** Who looks at the site. `may` holds the permission of the call that each action makes, whatever the site is like. */
interface Who {
  admin: boolean;
  may: Record<SiteAction, boolean>;
}

/** The capabilities of docs/site-status.md: what somebody can do with a site as it stands, and why not. */
export function denialOf(action: SiteAction, site: Site, { admin, may }: Who): Denial | undefined {
  // In this order: what makes no sense for such a site, what the reader has no permission for, and last what
  // the site's state forbids.
  if (isAbsent(action, site, admin)) return 'absent';
  if (!may[action]) return 'noPermission';
  if (site.removing_since !== null) return action === 'forceRemove' ? undefined : 'removingReason';
  if (action === 'online' || action === 'offline') {
    if (site.status === 'suspended' && !admin) return 'noPermission';
    // Putting it online would not lift what suspended it, such as an order that has ended: it would be suspended again at once.
    if (site.status === 'suspended' && site.status_reason !== 'operator') return 'causeStands';
  }
  // An operator vouches for the domains by bringing the site online. A customer's site gets there by the DNS check alone.
  const unproven = site.status === 'checking' || site.status === 'check_failed';
  return action === 'online' && unproven && !admin ? 'awaitingProof' : undefined;
}

/** Such an action is left out of the menu; all others stand there, with a reason where they are disabled. */
function isAbsent(action: SiteAction, { status }: Site, admin: boolean): boolean {
  switch (action) {
    case 'online':
      return status === 'online';
    case 'offline':
      return status === 'offline';
    case 'suspend':
      return !admin || status === 'suspended';
    // Of a site that is offline too: its content is cached still, and it may be brought online again.
    case 'refresh':
    case 'remove':
      return false;
    case 'resync':
    case 'forceRemove':
      return !admin;
  }
}
