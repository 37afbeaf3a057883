import {
  isInheritedSection,
  type InheritedSection,
  type SiteSection,
  type SiteSnapshot,
} from '@breakwater/contract';
import type { SiteChange } from './section.ts';
import { everySection } from './sections.ts';

/** What the sections refuse of a change, one after the other. */

type Values = Pick<SiteSnapshot, InheritedSection>;

/** Of a site; `changed` is the section that was sent, if only one was. Each throws `invalid_input` with paths under `path`. */
export async function checkSections(
  change: Omit<SiteChange, 'alone'> & { changed: SiteSection | undefined },
): Promise<void> {
  for (const { name, check, checkValue } of everySection) {
    const [before, after] = [change.before[name], change.after[name]];
    checkValue?.({ before, after, path: change.path });
    await check?.({ ...change, alone: change.changed === name });
  }
}

/** Of a level. */
export function checkValues(before: Values, after: Values, path: string): void {
  for (const { name, checkValue } of everySection)
    if (isInheritedSection(name)) checkValue?.({ before: before[name], after: after[name], path });
}
