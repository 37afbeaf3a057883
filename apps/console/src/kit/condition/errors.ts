/** What a form's state says of a condition: of a group, or of a test within one. */
export interface ConditionErrors {
  message?: string;
  items?:
    | (readonly (ConditionErrors | undefined)[] & { message?: string; root?: { message?: string } })
    | undefined;
  name?: { message?: string };
  operator?: { message?: string };
  /** Of the list as a whole, or of single values. */
  values?: { message?: string } & Partial<readonly ({ message?: string } | undefined)[]>;
}

/** The first sentence about the values of a test. */
export function valuesMessage(errors: ConditionErrors | undefined): string | undefined {
  const values = errors?.values;
  return values?.message ?? values?.find((each) => each !== undefined)?.message;
}
