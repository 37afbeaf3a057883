import * as z from 'zod';
import { inputText } from '../common.ts';
import { secretField } from '../secret.ts';

/** What a visitor types. It is kept as a salt and what the password makes of it (docs/access.md). */
const password = inputText().regex(/^(?:[^\p{Cc}]{8,128}|)$/u, { error: 'basic_auth_password' });

/** RFC 7617 §2: no colon and no control characters. */
const userName = inputText()
  .trim()
  .regex(/^[^\p{Cc}:]{1,100}$/u, { error: 'basic_auth_name' });

const user = z.strictObject({
  name: userName,
  /** Kept by the name of the user. */
  ...secretField('password', password),
});
export type BasicAuthUser = z.infer<typeof user>;

/** Who is asked for a name and a password (RFC 7617). Where stands beside it: none, all paths. */
export const basicAuth = z
  .strictObject({
    enabled: z.boolean().default(false),
    /** Browsers show it when they ask. */
    realm: inputText()
      .trim()
      .regex(/^[ !#-[\]-~]{1,100}$/, { error: 'basic_auth_realm' })
      .default('Restricted'),
    users: z.array(user).max(200).default([]),
    /** What the visitor sent goes on to the origin; what it answers is then not kept, unless it says so (RFC 9111 §3.5). */
    pass_to_origin: z.boolean().default(false),
    /** Wrong tries of one visitor in ten minutes; then none is heard for a while. */
    tries: z.int().min(1).max(1000).default(10),
  })
  .check((context) => {
    const { enabled, users } = context.value;
    const issue = (path: (string | number)[], message: string) =>
      context.issues.push({ code: 'custom', path, message, input: context.value });
    if (enabled && users.length === 0) issue(['users'], 'required');
    users.forEach(({ name }, index) => {
      if (users.findIndex((each) => each.name === name) < index)
        issue(['users', index, 'name'], 'basic_auth_twice');
    });
  });
export type BasicAuth = z.infer<typeof basicAuth>;
