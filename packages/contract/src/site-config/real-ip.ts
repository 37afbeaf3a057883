import * as z from 'zod';
import { ipOrCidr, inputText } from '../common.ts';
import { reservedFieldProblem } from './content-rewrite-check.ts';
import { untrustedFields } from './visitor-fields.ts';

export const realIpModes = ['socket', 'header', 'xff', 'cdn', 'proxy_protocol'] as const;
export const cdnPresetNames = ['cloudflare', 'fastly'] as const;

const headerName = inputText()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,64}$/, { error: 'header_name' });

/** One of the fields that are removed otherwise. What nodes say themselves no visitor says. */
const passedHeader = headerName.toLowerCase().check((context) => {
  const name = context.value;
  if ((untrustedFields as readonly string[]).includes(name)) return;
  const message = reservedFieldProblem(name, 'request') ?? 'field_not_removed';
  context.issues.push({ code: 'custom', message, input: name });
});

/**
 * Where a visitor's address is taken from. Only what a trusted peer says counts: with nobody trusted the address is the
 * socket's, so nobody can forge one. `cdn` trusts the provider's published networks as well.
 */
export const realIp = z
  .strictObject({
    mode: z.enum(realIpModes).default('socket'),
    /** `header`: looked at in this order. */
    headers: z.array(headerName).max(10).default([]),
    /** `xff`: the place in `X-Forwarded-For`, counted from its end; 1 is the last. */
    depth: z.int().min(1).max(20).default(1),
    preset: z.enum(cdnPresetNames).default('cloudflare'),
    trusted: z.array(ipOrCidr).max(500).default([]),
    /** Fields out of `untrustedFields` that reach the origin as visitors send them. */
    pass_headers: z.array(passedHeader).max(20).default([]),
  })
  .check((context) => {
    const { mode, headers } = context.value;
    if (mode === 'header' && headers.length === 0)
      context.issues.push({ code: 'custom', path: ['headers'], message: 'required', input: headers });
  });
export type RealIp = z.infer<typeof realIp>;
