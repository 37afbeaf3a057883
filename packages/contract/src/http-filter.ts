import * as z from 'zod';
import { count, dateTime, id, inputText } from './common.ts';
import { defineRoutes } from './define.ts';
import { defineSetting, settingReaders } from './setting.ts';

/** Violation monitoring: what pages of sites are looked at for, how often, and what is done about it (docs/violations.md). */

/** `watch`: written down. `tell`: an event besides. `offline`: the page is taken offline at once; of what visitors send: as `tell`. */
export const filterActions = ['watch', 'tell', 'offline'] as const;
export type FilterAction = (typeof filterActions)[number];

export const filterWordsMax = 100_000;
const word = inputText().trim().min(2).max(64);
/** Two to five parts with `*` between them, which stands for up to 20 characters. */
const pattern = inputText()
  .trim()
  .max(128)
  .refine(
    (text) => {
      const parts = text.split('*');
      return parts.length >= 2 && parts.length <= 5 && parts.every((part) => part.trim() !== '');
    },
    { error: 'filter_pattern' },
  );
const sha256 = inputText()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, { error: 'filter_hash' });

/** What a picture looks like: see `hashImage`. */
const imageHash = inputText()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{16}$/, { error: 'filter_image_hash' });
/** In base64; of larger ones a smaller copy looks the same. */
const imageBytesMax = 2 * 1024 * 1024;

export const filterCategory = z.strictObject({
  name: inputText().trim().min(1).max(50),
  action: z.enum(filterActions).default('watch'),
  /** The markets it is for, by their line groups; empty: all. */
  line_group_ids: z.array(id).max(50).default([]),
  words: z.array(word).max(filterWordsMax).default([]),
  patterns: z.array(pattern).max(1000).default([]),
  /** SHA-256 of the bytes of images and pages. */
  content_hashes: z.array(sha256).max(10_000).default([]),
  /** Pictures that look like these are found, up to so many of 64 bits apart. */
  image_hashes: z.array(imageHash).max(10_000).default([]),
  image_distance: z.int().min(0).max(16).default(8),
});
export type FilterCategory = z.infer<typeof filterCategory>;

export const httpFilterSetting = z.strictObject({
  enabled: z.boolean().default(false),
  /** Each site is visited so often. */
  interval_hours: z.int().min(1).max(720).default(24),
  pages_per_site: z.int().min(1).max(100).default(10),
  /** Of all sites together. */
  pages_per_second: z.int().min(1).max(50).default(5),
  /** So many of a thousand answers that visitors get are searched as well; 0: none. */
  sample_per_mille: z.int().min(0).max(1000).default(0),
  /** So many of a thousand requests by which visitors send text to sites are searched as well; 0: none. */
  submitted_per_mille: z.int().min(0).max(1000).default(0),
  /** Links to domains on the blacklist. */
  blacklisted_links: z.enum(['off', ...filterActions]).default('watch'),
  categories: z
    .array(filterCategory)
    .max(20)
    .default([])
    .check((context) => {
      const names = context.value.map(({ name }) => name);
      names.forEach((name, index) => {
        if (names.indexOf(name) < index)
          context.issues.push({ code: 'custom', path: [index, 'name'], message: 'name_taken', input: name });
      });
      const words = context.value.reduce((sum, each) => sum + each.words.length, 0);
      if (words > filterWordsMax)
        context.issues.push({ code: 'custom', path: [0, 'words'], message: 'filter_words', input: words });
    }),
});
export type HttpFilterSetting = z.infer<typeof httpFilterSetting>;

export const httpFilterSettings = defineSetting('http_filter_setting', {
  schema: httpFilterSetting,
  initial: {},
  about: 'Violation monitoring: words, patterns and hashes, how often sites are visited, and what follows',
  readBy: settingReaders,
  permission: 'setting.http_filter',
  bodyBytesMax: 8 * 1024 * 1024,
});

export const httpFilterRoutes = defineRoutes({
  getHttpFilterSetting: httpFilterSettings.read,
  updateHttpFilterSetting: httpFilterSettings.write,
  hashImage: {
    method: 'POST',
    path: '/prod-api/http_filter_setting/image_hash',
    summary: 'What a picture looks like, as violation monitoring compares it. Nothing is kept of it.',
    access: { kind: 'admin', permission: 'setting.http_filter' },
    body: z.strictObject({
      image: z
        .base64({ error: 'filter_image' })
        .max(Math.ceil(imageBytesMax / 3) * 4, { error: 'filter_image_size' }),
    }),
    bodyBytesMax: 4 * 1024 * 1024,
    response: z.strictObject({ hash: imageHash }),
  },
  getHttpFilterState: {
    method: 'GET',
    path: '/prod-api/log_analyzer/site_filter/state',
    summary: 'How far the visits of violation monitoring are.',
    access: { kind: 'admin', permission: 'site_violation.read' },
    response: z.strictObject({
      /** Sites that are to be visited. */
      sites: count,
      visited: count,
      /** Due by now. */
      due: count,
      /** Of whose last visit no page could be read. */
      failed: count,
      /** Null before the first. */
      last_at: dateTime.nullable(),
    }),
  },
});
