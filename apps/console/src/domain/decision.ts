import { refusingSections, type RefusingSection } from '@breakwater/contract';
import { useMemo } from 'react';
import { useText } from '../i18n/text.ts';
import { decisionText } from './decision.text.ts';

const isSection = (word: string): word is RefusingSection =>
  (refusingSections as readonly string[]).includes(word);

/** A decision in words: `access_control global 2` is “Access control · global · rule 2”. What is not known stays as it is. */
export function useDecisionName(): (decision: string) => string {
  const t = useText(decisionText);
  return useMemo(
    () => (decision) => {
      const [section = '', ...rest] = decision.split(' ');
      const words = rest.map((word) =>
        /^\d+$/.test(word) ? t.rule(word) : (t.levels[word] ?? t.reasons[word] ?? word),
      );
      return [isSection(section) ? t.sections[section] : section, ...words].join(' · ');
    },
    [t],
  );
}

/** The sections that refuse, as choices of a filter. */
export function useRefusingSections(): { value: string; label: string }[] {
  const { sections } = useText(decisionText);
  return refusingSections.map((value) => ({ value, label: sections[value] }));
}
