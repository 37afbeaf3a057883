import type { SiteSection, SiteSnapshot } from '@breakwater/contract';
import type { Transaction } from '../../db/database.ts';
import type { NewTask } from '../../delivery/tasks.ts';
import type { Secrets } from '../../secrets.ts';
import {
  publishAddressList,
  useAddressLists,
  type NamingValue,
} from '../address-list/address-list.service.ts';
import { publishCertificate, useCertificates } from '../certificate/certificate.service.ts';
import { publishIpData } from '../ip-data/ip-data.service.ts';
import type { Uses } from './section.ts';
import { everySection } from './sections.ts';

/** The documents that a site, or a level, needs at the edge beside its own, as its sections say. */

export const noUses: Uses = { certificates: [], addressLists: [], places: false };

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
    places: uses.some((each) => each.places === true),
  };
}

/** Notes what a site needs from now on; what it may not have is a field error. */
export async function noteUses(
  tx: Transaction,
  site: { id: number; clientId: number },
  before: SiteSnapshot,
  after: SiteSnapshot,
  naming: NamingValue,
): Promise<void> {
  const [former, now] = [usesOf(before), usesOf(after)];
  if (former.addressLists.join() !== now.addressLists.join())
    await useAddressLists(tx, site, before, after, naming);
  if (former.certificates.join() !== now.certificates.join())
    await useCertificates(tx, site, now.certificates, `${naming.path}.certificate_ids`);
}

/** What a site needs goes to the nodes of its line group, before the site does. Returns the task to go on with. */
export async function publishUses(
  tx: Transaction,
  secrets: Secrets,
  uses: Uses,
  lineGroupId: number,
  task: NewTask | { id: number },
): Promise<NewTask | { id: number }> {
  let following = task;
  for (const id of uses.certificates) {
    const taskId = await publishCertificate(tx, secrets, id, following);
    if (taskId !== null) following = { id: taskId };
  }
  return publishAsked(tx, uses, [lineGroupId], following);
}

/** What a site needs no longer leaves the nodes where no other needs it. The table of places stays. */
export async function withdrawUses(
  tx: Transaction,
  secrets: Secrets,
  former: Uses,
  now: Uses,
  task: NewTask | { id: number },
): Promise<void> {
  for (const id of former.certificates)
    if (!now.certificates.includes(id)) await publishCertificate(tx, secrets, id, task);
  for (const id of former.addressLists)
    if (!now.addressLists.includes(id)) await publishAddressList(tx, id, task);
}

/** The part of it that rules ask of, those of a site or a level. */
export async function publishAsked(
  tx: Transaction,
  { addressLists, places }: Uses,
  lineGroupIds: readonly number[],
  task: NewTask | { id: number },
): Promise<NewTask | { id: number }> {
  let following = task;
  for (const id of addressLists) {
    const taskId = await publishAddressList(tx, id, following);
    if (taskId !== null) following = { id: taskId };
  }
  if (places) {
    const taskId = await publishIpData(tx, lineGroupIds, following);
    if (taskId !== null) following = { id: taskId };
  }
  return following;
}
