import { siteSectionNames, type SiteSection } from '@breakwater/contract';
import { useText } from '../../../i18n/text.ts';
import { siteText } from '../site.text.ts';

/** The sections of a site as choices, by the names they have in its history, in the contract's order. */
export function useSectionOptions(): { value: SiteSection; label: string }[] {
  const { sections } = useText(siteText).revisions;
  return siteSectionNames.map((value) => ({ value, label: sections[value] }));
}
