import type { SiteSection, SiteSnapshot } from '@breakwater/contract';
import type { DiffEntry } from '../../json-diff.ts';
import type { Secrets } from '../../secrets.ts';
import * as inValue from './section-secrets.ts';
import { everySection, sectionOf } from './sections.ts';

/** Secrets of a configuration, where its sections say that they are. They are stored encrypted. */

const placesOf = (section: SiteSection) => inValue.secretPlaces(sectionOf(section).secrets ?? []);

const everyPlace = inValue.secretPlaces(
  everySection.flatMap(({ name, secrets = [] }) => secrets.map((path) => `${name}.${path}`)),
);

/** What changed in a configuration, without saying what a secret was or is. */
export const maskDiff = (entries: readonly DiffEntry[]): DiffEntry[] => inValue.maskDiff(entries, everyPlace);

/** The value of a section without its secrets; their paths, from the section's name on, are added to `leftOut`. */
export const withoutSecrets = (section: SiteSection, value: unknown, leftOut?: string[]): unknown =>
  inValue.withoutSecrets(value, placesOf(section), leftOut, section);

/** The value of a section with the secrets of what stood there before, where it has none of its own. */
export const keepSecrets = (section: SiteSection, value: unknown, before: unknown): unknown =>
  inValue.keepSecrets(value, before, placesOf(section));

/** As it is stored: what is only compared is hashed, the other secrets are encrypted, what is not yet. */
export function sealSecrets(config: SiteSnapshot, secrets: Secrets): SiteSnapshot {
  const kept = everySection.flatMap(({ name, keep }) => (keep ? [[name, keep(config[name], secrets)]] : []));
  const settled = { ...config, ...(Object.fromEntries(kept) as Partial<SiteSnapshot>) };
  return inValue.changeSecrets(settled, everyPlace, (secret) => {
    try {
      secrets.decrypt(secret);
      return secret;
    } catch {
      return secrets.encrypt(secret);
    }
  });
}

/** As nodes need it. */
export const openSecrets = (config: SiteSnapshot, { decrypt }: Secrets): SiteSnapshot =>
  inValue.changeSecrets(config, everyPlace, decrypt);

/** Its document is kept encrypted. */
export function holdsSecrets(config: SiteSnapshot): boolean {
  let found = false;
  inValue.changeSecrets(config, everyPlace, (secret) => {
    found = true;
    return secret;
  });
  return found;
}
