import type { Language } from '@breakwater/contract';
import { kitText } from './kit.text.ts';

/** A duration as forms have it: in the largest unit in which it is whole. */
export function sayDuration(seconds: number, language: Language): string {
  const { day, hour, minute, second } = kitText[language];
  const units = [
    [86_400, day],
    [3600, hour],
    [60, minute],
  ] as const;
  const [size, name] = units.find(([each]) => seconds > 0 && seconds % each === 0) ?? [1, second];
  return `${seconds / size} ${name}`;
}
