import { isSecretField } from '@breakwater/contract';

/** A value as the server would give it back once it is saved. What stayed in a form would be set anew with its next save. */
export function withoutSecrets<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutSecrets) as Value;
  if (typeof value !== 'object' || value === null) return value;
  // Emptied, not left out: to a form a field that it shows and that is missing would be a change.
  const kept = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    isSecretField(name) ? undefined : withoutSecrets<unknown>(item),
  ]);
  return Object.fromEntries(kept) as Value;
}
