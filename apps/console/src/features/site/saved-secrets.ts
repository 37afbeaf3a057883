import { isSecretField } from '@breakwater/contract';

/** A value as the server would give it back once it is saved. What stayed in a form would be set anew with its next save. */
export function withoutSecrets<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutSecrets) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !isSecretField(name));
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutSecrets(item)])) as Value;
}
