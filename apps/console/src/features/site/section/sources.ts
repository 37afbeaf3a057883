import { inheritedUnits, type InheritedSection, type ValueSource } from '@breakwater/contract';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useText } from '../../../i18n/text.ts';
import type { FieldSource } from '../../../kit/fields/field-source.tsx';
import { useLevel, useSectionHost } from './host.tsx';
import { siteLevelText } from '../level/level.text.ts';

/** What the server says of a section that sites inherit. */
export interface Inheritance {
  own: string[];
  inherited: Record<string, unknown>;
  inherited_from: Record<string, ValueSource>;
}

/** Of a value with parts the one that stands for it: `hsts.enabled`. */
const leading = new Set(['enabled', 'mode', 'requests']);
// Both come from the server or from a field that took it over: their keys stand in the same order.
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Which fields of a section's form are set here, which are inherited and from where, and how one is given up. */
export function useSources(
  form: UseFormReturn,
  base: Partial<Inheritance>,
  section: InheritedSection | undefined,
  /** Fields that were given up since the last save. */
  [given, setGiven]: [readonly string[], (given: readonly string[]) => void],
) {
  const t = useText(siteLevelText);
  const level = useLevel();
  const { denied } = useSectionHost();
  // What was given up and then changed again is set here after all.
  useWatch({ control: form.control, name: [...given] });
  const { own, inherited, inherited_from: from } = base;
  const { dirtyFields } = form.formState;
  const units = section === undefined ? [] : inheritedUnits(section);
  const isOwn = (field: string) =>
    given.includes(field)
      ? !isSame(form.getValues(field), inherited?.[field])
      : own?.includes(field) === true || field in dirtyFields;
  // What belongs together is inherited together: one part of it set here sets all of it.
  const ownFields = () => units.filter((unit) => unit.some(isOwn)).flat();
  const giveUp = (field: string) => {
    const unit = units.find((each) => each.includes(field)) ?? [field];
    // The inherited value is shown at once; that it is inherited is saved with the form (`own`).
    for (const each of unit) form.setValue(each, inherited?.[each], { shouldDirty: true, shouldTouch: true });
    setGiven([...new Set([...given, ...unit])]);
  };
  const source = (name: string): FieldSource | undefined => {
    const [field = '', second, ...rest] = name.split('.');
    // Of a value with parts the source is said once, at its first part, and not at each of them.
    const isShown = second === undefined || (rest.length === 0 && leading.has(second));
    const origin = from?.[field];
    if (!isShown || origin === undefined) return undefined;
    // The value that everybody has is no news.
    if (!ownFields().includes(field))
      return origin === 'built_in' ? undefined : { label: t.from[origin], isOwn: false };
    const run = () => giveUp(field);
    return {
      label: level ? t.own.level : t.own.site,
      isOwn: true,
      giveUp: denied === undefined ? { label: t.giveUp, run } : undefined,
    };
  };
  return {
    // Undefined of a section that is not inherited: its save must not name fields.
    own: () => (from === undefined ? undefined : ownFields()),
    isChanged: given.length > 0,
    forget: () => setGiven([]),
    of: source,
  };
}
