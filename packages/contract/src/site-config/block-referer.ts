import * as z from 'zod';
import { siteDomain, inputText } from '../common.ts';
import { accessPath } from './access-control.ts';

const hosts = z.array(siteDomain).max(500).default([]);
const paths = z.array(accessPath).max(100).default([]);

/** A full address, or a path of the same site. Nothing in it can end a header line. */
export const redirectUrl = inputText()
  .trim()
  .max(2000)
  .refine((text) => text === '' || /^(?:https?:\/\/[^\s/]|\/(?!\/))[\x21-\x7e]*$/.test(text), {
    error: 'redirect_url',
  });

export const refererStatuses = [403, 404, 410] as const;

/** Which sites may show what is served here, by what browsers say in `Referer` (RFC 9110 §10.1.3). */
export const blockReferer = z
  .strictObject({
    enabled: z.boolean().default(false),
    /** `example.com`, `*.example.com`; none: all but those of `deny`, or with none there either, nobody else. */
    allow: hosts,
    /** Goes before `allow`. */
    deny: hosts,
    /** Requests without a referer: addresses typed in, bookmarks, many programs. */
    allow_empty: z.boolean().default(true),
    /** The site's own domains. */
    allow_same_domain: z.boolean().default(true),
    /** Where `Origin` is sent, its host has to be allowed as well. */
    check_origin: z.boolean().default(false),
    /** None: all paths. `*.jpg` names a suffix. */
    only_paths: paths,
    except_paths: paths,
    action: z.enum(['status', 'redirect']).default('status'),
    status: z.literal(refererStatuses).default(403),
    /** Such as an image that stands in. */
    redirect_url: redirectUrl.default(''),
  })
  .check((context) => {
    const { enabled, action, redirect_url: url } = context.value;
    if (enabled && action === 'redirect' && url === '')
      context.issues.push({ code: 'custom', path: ['redirect_url'], message: 'required', input: url });
  });
export type BlockReferer = z.infer<typeof blockReferer>;
