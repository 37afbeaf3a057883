import { invalid } from '../../api-error.ts';
import type { BanSettingDocument, WafSetting } from '@breakwater/contract';
import { isInSet, packAddresses, type AddressSet } from '@breakwater/policy/address/address-set';
import { isInNetwork, parseNetwork, type Network } from '@breakwater/policy/address/ip';
import { and, asc, inArray, isNull, sql } from 'drizzle-orm';
import type { Db, Transaction } from '../../db/database.ts';
import { addressList, nodeIp } from '../../db/schema.ts';
import { publishDocument } from '../../delivery/publish.ts';
import { rowsOf } from '../../delivery/queryable.ts';
import { lockCounter } from '../../delivery/revisions.ts';
import { readWafSetting } from '../setting/setting.store.ts';
import { allGroups } from './site-reject-publish.ts';

/** Whom no ban is for, as the setting, the lists that it names, and the nodes have it. */
export interface Never {
  networks: Network[];
  sets: AddressSet[];
}

const bytesOf = (base64: string) => Buffer.from(base64, 'base64').toString('latin1');
const base64Of = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');

async function addressesOf(tx: Pick<Db, 'select'>, setting: WafSetting) {
  const nodes = await tx.select({ ip: nodeIp.ip }).from(nodeIp).orderBy(asc(nodeIp.ip));
  const lists = await tx
    .select({ v4: addressList.v4, v6: addressList.v6 })
    .from(addressList)
    .where(and(inArray(addressList.id, setting.never_list_ids), isNull(addressList.clientId)))
    .orderBy(asc(addressList.id));
  return { own: [...setting.never_addresses, ...nodes.map(({ ip }) => ip)], lists };
}

export async function readNever(tx: Pick<Db, 'select'>, setting: WafSetting): Promise<Never> {
  const { own, lists } = await addressesOf(tx, setting);
  return {
    networks: own.flatMap((text) => parseNetwork(text) ?? []),
    sets: lists.map(({ v4, v6 }) => ({ v4: bytesOf(v4), v6: bytesOf(v6) })),
  };
}

/** Whether nobody in a network may be banned. One that holds others too can be: nodes let those in that never are. */
export function isNever({ networks, sets }: Never, { address, bits }: Network): boolean {
  if (networks.some((network) => network.bits <= bits && isInNetwork(address, network))) return true;
  return sets.some((set) => isInSet(address, set) && isInSet(lastOf({ address, bits }), set));
}

function lastOf({ address, bits }: Network): number[] {
  return address.map((byte, index) => byte | (255 >> Math.min(8, Math.max(0, bits - 8 * index))));
}

/** Tells nodes whom no ban is for; nothing happens where they know. */
export async function publishBanSetting(tx: Transaction, setting: WafSetting): Promise<void> {
  const { own, lists } = await addressesOf(tx, setting);
  const packed = packAddresses(own);
  const body: BanSettingDocument = {
    never: [{ v4: base64Of(packed.v4), v6: base64Of(packed.v6) }, ...lists],
    never_robots: setting.never_robots,
    never_private: setting.never_private,
    objection: setting.objection,
  };
  await lockCounter(tx);
  await publishDocument(tx, {
    kind: 'ban_setting',
    key: 'platform',
    lineGroupIds: await allGroups(tx),
    body,
  });
}

/** As it is saved: lists are locked, so that none goes meanwhile. */
export async function followBanSetting(tx: Transaction, setting: WafSetting): Promise<void> {
  const ids = [...new Set(setting.never_list_ids)].toSorted((one, other) => one - other);
  const found = await tx
    .select({ id: addressList.id })
    .from(addressList)
    .where(and(inArray(addressList.id, ids), isNull(addressList.clientId)))
    .orderBy(asc(addressList.id))
    .for('share');
  const missing = setting.never_list_ids.findIndex((id) => !found.some((list) => list.id === id));
  if (missing >= 0) throw invalid(`value.never_list_ids.${missing}`, 'does_not_exist');
  await publishBanSetting(tx, setting);
}

/** By the clock: addresses of nodes and entries of lists change. Where nodes were never told, there is nothing to keep. */
export async function keepBanSetting(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const told = await rowsOf(
      tx,
      sql`SELECT FROM edge_document WHERE kind = 'ban_setting' AND NOT deleted LIMIT 1`,
    );
    if (told.length > 0) await publishBanSetting(tx, await readWafSetting(tx));
  });
}
