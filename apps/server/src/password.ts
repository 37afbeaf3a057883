import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';

/** argon2id by the parameters OWASP's password storage sheet names first: 19 MiB, 2 passes, 1 lane. */
let parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, parameters);

/** For tests, which make and compare thousands of hashes: as little as argon2 allows, and worthless as a protection. */
export function hashCheaply(): void {
  parameters = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  decoy = makeDecoy();
}

/** Compares in any case, also when there is no such account, so that the answer takes the same time. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}
const makeDecoy = () => hashPassword(randomBytes(16).toString('hex'));
let decoy = makeDecoy();

/** A first password for people to type: 20 characters without look-alikes. */
export function makePassword(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(20), (byte) => letters[byte % letters.length]).join('');
}
