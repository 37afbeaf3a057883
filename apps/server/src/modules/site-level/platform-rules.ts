import type { LevelRef, MatcherRuleSection } from '@breakwater/contract';
import type { Db, Transaction } from '../../db/database.ts';
import type { AdminSession } from '../../plugins/session.ts';
import type { Services } from '../../services.ts';
import { applySection, changeLevel } from './site-level-write.ts';
import { readLevel } from './site-level.store.ts';

/** The platform's rules on requests, which are asked before those of every site. */

type Rules = MatcherRuleSection['rules'];
const platform: LevelRef = { level: 'global', target_id: 0 };
const section = 'matcher_rule';

export async function readPlatformRules(db: Db): Promise<{ version: number; rules: Rules }> {
  const { version, values } = await readLevel(db, platform);
  return { version, rules: values[section]?.rules ?? [] };
}

/** Changes them as a change of the level does: with a version, an event, and the task that follows it. */
export function changePlatformRules(
  services: Services,
  session: AdminSession,
  version: number,
  change: (rules: Rules, tx: Transaction) => Rules | Promise<Rules>,
): Promise<{ version: number; task_id: number | null }> {
  return changeLevel(services, session, platform, {
    section,
    version,
    apply: async (tx, { values }) => {
      const value = { rules: await change(values[section]?.rules ?? [], tx) };
      return applySection(tx, platform, values, { section, value });
    },
  });
}
