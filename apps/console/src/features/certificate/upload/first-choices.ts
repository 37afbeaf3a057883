import type { UploadCertificate, UploadSite } from '@breakwater/contract';

/** What is chosen before somebody chooses otherwise. */

/** A certificate with what the reader made of it. */
export interface UploadChoice {
  isTaken: boolean;
  name: string;
  siteIds: number[];
}

/**
 * Everything that is new, and for each site what it gains by: of several that cover the same of its domains, the one that names more
 * of them, and then the one that covers more of the others. What is there already is chosen where a site gains by it.
 */
export function firstChoices(found: readonly UploadCertificate[], mayBind: boolean): UploadChoice[] {
  return found.map((one, index) => {
    const siteIds = mayBind
      ? one.sites.flatMap((site) => (gains(site) && !isBeaten(found, index, site) ? [site.id] : []))
      : [];
    return { isTaken: one.known === null || siteIds.length > 0, name: one.name, siteIds };
  });
}

/** `follows` needs no choice: such a site uses the new one anyway. */
const gains = ({ use }: UploadSite): boolean => use === 'added' || use === 'replaces';

function isBeaten(found: readonly UploadCertificate[], index: number, site: UploadSite): boolean {
  const one = found[index]!;
  return found.some((other, place) => {
    const there = other.sites.find(({ id }) => id === site.id);
    if (place === index || other.key_type !== one.key_type || there === undefined) return false;
    if (there.use === 'lasts_longer' || !site.covered.every((domain) => there.covered.includes(domain)))
      return false;
    const more = there.covered.length - site.covered.length;
    const exact = namedBy(other, site) - namedBy(one, site);
    return exact > 0 || (exact === 0 && (more > 0 || place < index));
  });
}

/** How many of the domains a certificate has as they are, and not by a wildcard. */
const namedBy = ({ domains }: UploadCertificate, { covered }: UploadSite): number =>
  covered.filter((domain) => domains.includes(domain)).length;
