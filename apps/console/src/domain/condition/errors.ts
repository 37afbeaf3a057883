/** What a form's state says of a condition: of a group, or of a test within one. */
export interface ConditionErrors {
  message?: string;
  items?:
    | (readonly (ConditionErrors | undefined)[] & { message?: string; root?: { message?: string } })
    | undefined;
  field?: { message?: string };
  name?: { message?: string };
  decode?: { message?: string };
  operator?: { message?: string };
  /** Of the list as a whole, or by the places of single values. */
  values?: { message?: string };
}

/** The first sentence about the values of a test. */
export function valuesMessage(errors: ConditionErrors | undefined): string | undefined {
  const { message, ...places } = errors?.values ?? {};
  if (message !== undefined) return message;
  for (const each of Object.values(places) as unknown[])
    if (typeof each === 'object' && each !== null && 'message' in each && typeof each.message === 'string')
      return each.message;
  return undefined;
}
