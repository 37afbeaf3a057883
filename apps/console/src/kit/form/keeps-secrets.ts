import { eachSecret, isGiven, secretPlaces, setName } from '@breakwater/contract';
import type * as z from 'zod';

/** The places of secrets in a value: of those that are set, or that were entered. */
function secretsIn(
  schema: z.core.$ZodType,
  value: unknown,
  isThere: (mark: unknown, secret: unknown) => boolean,
) {
  const paths: string[] = [];
  eachSecret(value, secretPlaces(schema), (holder, name, path) => {
    if (isThere(holder[setName(name)], holder[name])) paths.push(path);
  });
  return paths;
}

/** No secret was replaced or taken away: nobody can send back the one from before. */
export function keepsSecrets(
  schema: z.core.$ZodType,
  before: unknown,
  sent: unknown,
  after: unknown,
): boolean {
  const isSet = (mark: unknown) => mark === true;
  const kept = new Set(secretsIn(schema, after, isSet));
  const entered = secretsIn(schema, sent, (_, secret) => isGiven(secret));
  return entered.length === 0 && secretsIn(schema, before, isSet).every((path) => kept.has(path));
}
