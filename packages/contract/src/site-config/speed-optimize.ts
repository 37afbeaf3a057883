import * as z from 'zod';
import { inputText } from '../common.ts';

/** Content types that shrink, as nodes compress them by default. */
export const compressedTypes = [
  'text/html',
  'text/css',
  'text/plain',
  'text/xml',
  'text/javascript',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/rss+xml',
  'application/xml',
  'application/wasm',
  'image/svg+xml',
];
export const compressionLevel = z.enum(['fast', 'balanced', 'best']);
export const preloadKind = z.enum(['style', 'script', 'font', 'image', 'fetch']);

const address = inputText()
  .max(500)
  // What would end the field or the quoted part of it.
  .regex(/^(?:\/|https?:\/\/)[^\s<>",;\\]*$/, { error: 'preload_address' });

export const preload = z.strictObject({
  /** A path, or all below one: `/`, `/news/*`. */
  path: inputText()
    .max(500)
    .regex(/^\/[^\s?#]*$/, { error: 'path_absolute' }),
  url: address,
  as: preloadKind,
});
export type Preload = z.infer<typeof preload>;

export const speedOptimize = z.strictObject({
  gzip: z.boolean().default(false),
  /** Before gzip where a visitor takes both; nodes without the module give gzip. */
  brotli: z.boolean().default(false),
  level: compressionLevel.default('balanced'),
  types: z
    .array(
      inputText()
        .toLowerCase()
        .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/, { error: 'content_type' }),
    )
    .max(50)
    .default(compressedTypes),
  /** Smaller answers are left as they are. */
  min_length_bytes: z.int().min(0).max(1_048_576).default(1024),
  /** `Link: rel=preload` on pages, so that a browser asks for these before it has read the page. */
  preload: z.array(preload).max(50).default([]),
});
export type SpeedOptimize = z.infer<typeof speedOptimize>;
