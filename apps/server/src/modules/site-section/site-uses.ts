import type { SiteSection, SiteSnapshot } from '@breakwater/contract';
import type { Transaction } from '../../db/database.ts';
import { documentsOf, supplyDocument, type Following, type UsedDocument } from '../../delivery/edge-use.ts';
import type { UsedKind } from '../../db/schema.ts';
import type { Publication } from '../../delivery/publish.ts';
import type { Secrets } from '../../secrets.ts';
import { addressListBody, checkListsOfSite, type NamingValue } from '../address-list/address-list.service.ts';
import { captchaAccountBody, checkCaptchaOfSite } from '../captcha-account/captcha-account.service.ts';
import { certificateBody, checkCertificates } from '../certificate/certificate.service.ts';
import { ipDataBody } from '../ip-data/ip-data.service.ts';
import { knownDocument, knownVulnerabilityBody } from '../known-vulnerability/known-vulnerability.service.ts';
import type { Uses } from './section.ts';
import { everySection } from './sections.ts';

/** The documents that a site, or a level, needs at the edge beside its own, as its sections say. */

/** Of a configuration, or of what a level sets: certificates in the order in which they are named, lists by id. */
export function usesOf(values: { [Name in SiteSection]?: object | undefined }): Uses {
  const uses = everySection.map(({ name, uses: of }) => {
    const value = values[name];
    return value === undefined ? {} : (of?.(value as SiteSnapshot[SiteSection]) ?? {});
  });
  const addressLists = new Set(uses.flatMap((each) => each.addressLists ?? []));
  return {
    certificates: uses.flatMap((each) => each.certificates ?? []),
    addressLists: [...addressLists].toSorted((one, other) => one - other),
    captchaAccounts: uses.flatMap((each) => each.captchaAccounts ?? []),
    places: uses.some((each) => each.places === true),
    knownVulnerabilities: uses.some((each) => each.knownVulnerabilities === true),
  };
}

/** The same as documents, in the order in which they are sent. */
export function documentsUsedBy(values: Parameters<typeof usesOf>[0]): UsedDocument[] {
  const { certificates, addressLists, captchaAccounts, places, knownVulnerabilities } = usesOf(values);
  return [
    ...documentsOf('certificate', certificates),
    ...documentsOf('address_list', addressLists),
    ...documentsOf('captcha_account', captchaAccounts),
    ...(places ? [{ kind: 'ip_data' as const, key: 'ip' }] : []),
    ...(knownVulnerabilities ? [knownDocument] : []),
  ];
}

/** Refuses what a site may not use from now on; what it may is there until the transaction ends. */
export async function checkUses(
  tx: Transaction,
  site: { clientId: number },
  before: SiteSnapshot,
  after: SiteSnapshot,
  naming: NamingValue,
): Promise<void> {
  const [former, now] = [usesOf(before), usesOf(after)];
  if (former.addressLists.join() !== now.addressLists.join())
    await checkListsOfSite(tx, site, before, after, naming);
  if (former.captchaAccounts.join() !== now.captchaAccounts.join())
    await checkCaptchaOfSite(tx, site, naming.isAdmin, {
      former: former.captchaAccounts,
      now: now.captchaAccounts,
      path: `${naming.path}.captcha_account_id`,
    });
  if (former.certificates.join() !== now.certificates.join())
    await checkCertificates(tx, site, now.certificates, `${naming.path}.certificate_ids`);
}

/** What each kind of document says, where no node has it yet. */
const bodies: {
  [Kind in UsedKind]: (
    tx: Transaction,
    secrets: Secrets,
    key: string,
  ) => Promise<Pick<Publication, 'body' | 'encrypt'>>;
} = {
  certificate: certificateBody,
  address_list: addressListBody,
  captcha_account: captchaAccountBody,
  ip_data: ipDataBody,
  known_vulnerability: knownVulnerabilityBody,
};

/** What is used goes to the nodes of these line groups that lack it, before who uses it does. Returns the task to go on with. */
export async function supplyUses(
  tx: Transaction,
  secrets: Secrets,
  documents: readonly UsedDocument[],
  lineGroupIds: readonly number[],
  task: Following,
): Promise<Following> {
  let following = task;
  for (const document of documents)
    following = await supplyDocument(tx, document, lineGroupIds, following, () =>
      bodies[document.kind](tx, secrets, document.key),
    );
  return following;
}
