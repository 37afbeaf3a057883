import type { LevelRef } from '@breakwater/contract';
import type { Transaction } from '../../db/database.ts';
import type { LevelValues } from '../../site-values.ts';
import { checkValues } from '../site-section/site-section.service.ts';
import { applySection, checkUses, type SectionInput } from './site-level-write.ts';
import { nameOfLevel, readLevel } from './site-level.store.ts';

/** What a level says, and what it would say with a section as it was sent: judged as a save of it is, and not written. */
export async function draftOfLevel(
  tx: Transaction,
  ref: LevelRef,
  input: SectionInput,
): Promise<{ today: LevelValues; draft: LevelValues }> {
  await nameOfLevel(tx, ref);
  const { values: today } = await readLevel(tx, ref);
  const draft = await applySection(tx, ref, today, input);
  checkValues(today, draft, 'value');
  await checkUses(tx, ref, today, draft, input.section);
  return { today, draft };
}
