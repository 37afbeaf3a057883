import { requestHeaderRule, responseHeaderRule } from '@breakwater/contract/site-config/content-rewrite';
import { expect, it } from 'vitest';
import { isReservedField } from './reserved-fields.ts';

const reserved =
  'Connection Content-Length Host Keep-Alive Proxy-Authenticate Proxy-Authentication-Info Proxy-Authorization Proxy-Connection ' +
  'TE Trailer Transfer-Encoding Upgrade X-Accel-Expires X-Accel-Redirect X-Breakwater X-Breakwater-Told X-Request-Id';

it.each(reserved.split(' '))(
  '%s is set by no rule, with hyphens or underscores: at a save, and on a node',
  (field) => {
    for (const name of [field, field.toLowerCase(), field.replaceAll('-', '_')]) {
      expect(isReservedField(name)).toBe(true);
      for (const rule of [requestHeaderRule, responseHeaderRule])
        for (const action of ['set', 'add', 'remove'] as const)
          expect(rule.safeParse({ action, name, value: 'x' }).error?.issues[0]?.path).toEqual(['name']);
    }
  },
);

it.each(['X-Own', 'x_own', 'Content-Type', 'Set-Cookie', 'X-Accelerated', 'Content-Length-Of-It'])(
  '%s may be',
  (name) => {
    expect(isReservedField(name)).toBe(false);
    expect(responseHeaderRule.safeParse({ name, value: 'x' }).success).toBe(true);
  },
);
