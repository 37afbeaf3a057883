/** What a form's state says of a condition: of a group, or of a test within one. */
export interface ConditionErrors {
  message?: string;
  items?:
    | (readonly (ConditionErrors | undefined)[] & { message?: string; root?: { message?: string } })
    | undefined;
  name?: { message?: string };
  operator?: { message?: string };
  values?: { message?: string } & readonly ({ message?: string } | undefined)[];
}

/** The first sentence about the values of a test. */
export function valuesMessage(errors: ConditionErrors | undefined): string | undefined {
  const { values } = errors ?? {};
  if (values === undefined) return undefined;
  return values.message ?? (Array.isArray(values) ? values.find(Boolean)?.message : undefined);
}
