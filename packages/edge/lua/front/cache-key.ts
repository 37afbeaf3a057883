import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import { cacheKey } from '@breakwater/policy/cache/key';
import { printCondition } from '@breakwater/policy/conditions/text';
import { toHex } from '../lib/digest.ts';
import { generationsId } from './generations.ts';

/**
 * What the cache keeps an answer under, word by word: the name of the counters, the site and the target, the condition of the rule,
 * and then, where they say anything, the counters, what rewriting makes of the content, and the variant. nginx adds the part of
 * an answer that is kept in parts (`keyOf` in `nginx/cache.ts`).
 */
export function keyUnderRule(
  siteKey: string,
  scheme: string,
  authority: string,
  target: string,
  rule: EdgeCacheRule | undefined,
): string {
  return `${generationsId()} ${cacheKey(siteKey, scheme, authority, target, rule)}${conditionWord(rule)}`;
}

/** What is stored under a condition is given to no request under another: it may have been stored for that reason only. */
function conditionWord(rule: EdgeCacheRule | undefined): string {
  const condition = rule?.condition;
  return condition === undefined ? '' : ` ${toHex(ngx.md5_bin(printCondition(condition)))}`;
}

const space = 32;

/** `asked`: how often what is stored was to be asked about; see `generations.ts`. */
export function withGeneration(key: string, generation: number, asked: number): string {
  if (asked > 0) return `${key}${generationWord(generation, asked)}`;
  return generation === 0 ? key : `${key} ${generation}`;
}

const generationWord = (generation: number, asked: number): string => ` ${generation}~${asked}`;

/** A key as it was before it was asked about so many times fewer; nothing where it is not the key of these numbers. */
export function keyBefore(key: string, generation: number, asked: number, times: number): string | undefined {
  const word = generationWord(generation, asked);
  // What follows it may have been written by the visitor: the first is ours.
  const [start, end] = string.find(key, word, 1, true);
  if (start === undefined) return undefined;
  const rest = string.sub(key, end! + 1);
  if (rest !== '' && string.byte(rest, 1) !== space) return undefined;
  return `${withGeneration(string.sub(key, 1, start - 1), generation, asked - times)}${rest}`;
}

export function withContent(key: string, bodyTag: string, variant: string): string {
  const changed = bodyTag === '' ? key : `${key} ${bodyTag}`;
  return variant === '' ? changed : `${changed} ${variant}`;
}

/** Of the first part: those that follow have its tag behind the space. */
export function keyOfFirstPart(key: string, bytes: number): string {
  return `${key} bytes=0-${bytes - 1} `;
}
