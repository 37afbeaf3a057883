import type { EdgeCacheRule } from '@breakwater/contract/site-config/cache-rule';
import type { Preload, SpeedOptimize } from '@breakwater/contract/site-config/speed-optimize';
import { browserCacheControl } from '../cache/browser.ts';
import { cacheVariant, bypassingField, bypassesByCookie, type RequestFields } from '../cache/variant.ts';
import { decideCompression, type CompressibleAnswer } from '../http/compression.ts';
import { suitsSuffix } from '../http/content-type.ts';
import { cacheStatus } from '../cache/status.ts';
import { preloadLinks } from '../cache/preload.ts';
import { wantedBytes } from '../http/range.ts';
import { isRemoved } from '../http/visitor-fields.ts';

/** The decisions on what a cached answer is told apart by and how it is given; see `vectors.ts`. */
export function runCacheVector(decision: string, input: Record<string, unknown>): unknown {
  if (decision === 'cache-variant') return variant(input as never);
  if (decision === 'browser-cache') return browserCache(input as never);
  if (decision === 'compression') return compression(input as never);
  if (decision === 'cache-status') return { text: cacheStatus(input as never) };
  if (decision === 'preload') return preload(input as never);
  if (decision === 'content-type')
    return { suits: suitsSuffix(input.suffix as string, input.type as string | undefined) };
  if (decision === 'visitor-fields') return visitorFields(input as never);
  if (decision === 'range')
    return {
      bytes: wantedBytes(input.method as string, input.range as string, input.length as number),
    };
  return undefined;
}

function variant(input: { rule: EdgeCacheRule; fields: RequestFields }): unknown {
  return {
    variant: cacheVariant(input.rule, input.fields),
    bypass: bypassesByCookie(input.rule, input.fields.cookie),
  };
}

/** Which of the fields the origin gets, and which leads around the cache. */
function visitorFields(input: { passed: string[]; rule?: EdgeCacheRule; names: string[] }): unknown {
  const kept: string[] = [];
  const fields: RequestFields = {};
  for (const name of input.names) {
    fields[name] = '';
    if (!isRemoved(name, input.passed)) kept.push(name);
  }
  return { kept: kept.join(' '), bypass: bypassingField(input.passed, input.rule, fields) ?? 'none' };
}

function browserCache(input: {
  rule: EdgeCacheRule;
  status: number;
  age: number;
  cacheControl?: string;
}): unknown {
  const text = browserCacheControl(input.rule, input.status, input.age, input.cacheControl);
  return { text: text ?? 'as it is' };
}

function compression(input: { config: Partial<SpeedOptimize>; answer: CompressibleAnswer }): unknown {
  const plain = {
    gzip: true,
    brotli: true,
    level: 'balanced',
    types: ['text/html'],
    min_length_bytes: 100,
    preload: [],
  };
  return decideCompression({ ...plain, ...input.config } as SpeedOptimize, input.answer);
}

function preload(input: { list: Preload[]; path: string }): unknown {
  return { links: preloadLinks(input.list, input.path) ?? 'none' };
}
