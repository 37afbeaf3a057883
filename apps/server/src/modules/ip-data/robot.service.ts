import { findRobot } from '@breakwater/agent/origins/robot-dns';
import type { RobotOfAddress } from '@breakwater/policy/access/search-robots';
import type { Db } from '../../db/database.ts';
import { readSiteSetting } from '../setting/setting.store.ts';
import { makeResolver } from '../../dns-resolver.ts';

/** Whose robot an address is, as nodes find it; nothing where DNS gives no answer. */
export async function robotOfAddress(db: Db, address: string): Promise<RobotOfAddress> {
  const { dns_servers: servers } = await readSiteSetting(db);
  return findRobot(makeResolver(servers), address).catch(() => undefined);
}
