import * as z from 'zod';
import { inputText } from '../common.ts';

/** `https://a.example`, perhaps with a port; `https://*.a.example`: every host below; `*`: any. */
const pageOrigin = inputText()
  .trim()
  .toLowerCase()
  .max(300)
  .regex(/^(?:\*|https?:\/\/(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*(?::\d{1,5})?)$/, { error: 'cors_origin' });

/** The name of a field (RFC 9110 §5.6.2), or `*`. */
const fieldName = inputText()
  .trim()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, { error: 'rewrite_field_name' });

export const corsMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Which pages of other sites may read answers (Fetch standard, CORS). What the origin says of it is replaced. */
export const cors = z
  .strictObject({
    enabled: z.boolean().default(false),
    origins: z.array(pageOrigin).max(200).default([]),
    methods: z.array(z.enum(corsMethods)).max(corsMethods.length).default(['GET', 'HEAD', 'POST']),
    /** Fields that a request may carry besides those that every one may; `*`: any. */
    headers: z.array(fieldName).max(100).default([]),
    /** Fields that a page may read besides those that every one may. */
    exposed_headers: z.array(fieldName).max(100).default([]),
    /** With cookies and passwords; then pages have to be named. */
    credentials: z.boolean().default(false),
    /** How long browsers keep the answer to a preflight. */
    max_age_seconds: z.int().min(0).max(86_400).default(600),
  })
  .check((context) => {
    const { enabled, origins, credentials, exposed_headers: exposed } = context.value;
    const issue = (path: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, input: context.value });
    if (enabled && origins.length === 0) issue('origins', 'required');
    if (credentials && origins.includes('*')) issue('origins', 'cors_any_credentials');
    // With credentials a star stands for a field of this name only.
    if (credentials && exposed.includes('*')) issue('exposed_headers', 'cors_any_credentials');
  });
export type Cors = z.infer<typeof cors>;
