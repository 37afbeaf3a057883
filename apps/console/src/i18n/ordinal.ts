const rules = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** A place in an English text: 1st, 2nd, 3rd, 11th. */
export const ordinal = (place: number): string => `${place}${suffixes[rules.select(place)] ?? 'th'}`;
