import * as z from 'zod';
import { id, name } from './common.ts';

export const tagColours = ['gray', 'blue', 'cyan', 'green', 'yellow', 'orange', 'red', 'purple'] as const;
export type TagColour = (typeof tagColours)[number];

/** A tag as a site carries it. */
export const siteTag = z.strictObject({ id, name: z.string(), color: z.enum(tagColours) });
export type SiteTag = z.infer<typeof siteTag>;

export const tagInput = z.strictObject({
  name: name.max(40),
  color: z.enum(tagColours).default('blue'),
});
