import { eachSecret, isGiven, secretPlaces, setName } from '@breakwater/contract';
import type * as z from 'zod';

/** The places of secrets in a value: of those for which it holds, by their mark (`NAME_set`) and what was entered. */
function secretsIn(
  schema: z.core.$ZodType,
  value: unknown,
  isThere: (mark: unknown, secret: unknown) => boolean,
): string[] {
  const paths: string[] = [];
  eachSecret(value, secretPlaces(schema), (holder, name, path) => {
    if (isThere(holder[setName(name)], holder[name])) paths.push(path);
  });
  return paths;
}

const isSet = (mark: unknown): boolean => mark === true;
const isEntered = (_: unknown, secret: unknown): boolean => isGiven(secret);

/** Whether what was made of a value replaces one of its secrets, or takes one away. Nobody can see if another did so as well. */
export function changesSecret(schema: z.core.$ZodType, before: unknown, value: unknown): boolean {
  const kept = new Set(secretsIn(schema, value, isSet));
  return (
    secretsIn(schema, value, isEntered).length > 0 ||
    secretsIn(schema, before, isSet).some((path) => !kept.has(path))
  );
}

/** No secret was replaced or taken away by what was sent: nobody can send back the one from before. */
export function keepsSecrets(
  schema: z.core.$ZodType,
  before: unknown,
  sent: unknown,
  after: unknown,
): boolean {
  const kept = new Set(secretsIn(schema, after, isSet));
  return (
    secretsIn(schema, sent, isEntered).length === 0 &&
    secretsIn(schema, before, isSet).every((path) => kept.has(path))
  );
}
