import * as z from 'zod';
import { hostAddress, port, inputText } from '../common.ts';

export const healthCheckProtocols = ['origin', 'http', 'https', 'tcp'] as const;

/** One status code or an ascending range of them, as text: `200`, `200-399`. */
export function isStatusRange(text: string): boolean {
  const match = /^([2-5]\d\d)(?:-([2-5]\d\d))?$/.exec(text);
  return match !== null && Number(match[1]) <= Number(match[2] ?? match[1]);
}

/** Active checks of a site's origins, made by every node that serves the site. Off by default. */
export const backendHealthCheck = z
  .strictObject({
    enabled: z.boolean().default(false),
    /** `origin` speaks as visitors' requests reach the origin; `tcp` only opens a connection. */
    protocol: z.enum(healthCheckProtocols).default('origin'),
    /** Absent: the origin's own port for the protocol. */
    port: port.optional(),
    /** Host header and SNI. Absent: the site's host for origins, else its first domain. */
    host: hostAddress.optional(),
    /** In ASCII, a query included. */
    path: inputText()
      .max(500)
      .regex(/^\//, { error: 'path_absolute' })
      .regex(/^[!-"$-~]*$/, { error: 'path_ascii' })
      .default('/'),
    method: z.enum(['GET', 'HEAD', 'OPTIONS']).default('GET'),
    expected_codes: z
      .array(inputText().trim().refine(isStatusRange, { error: 'status_range' }))
      .min(1)
      .max(20)
      .default(['200-399']),
    /** Must stand within the first 64 KiB of the body, byte for byte; empty: the body is not read. */
    body_contains: inputText().max(200).default(''),
    interval_seconds: z.int().min(2).max(3600).default(10),
    /** For the whole of one check. */
    timeout_seconds: z.int().min(1).max(60).default(3),
    /** Good results in a row that end an outage. */
    rise: z.int().min(1).max(20).default(2),
    /** Bad results in a row that begin one. */
    fall: z.int().min(1).max(20).default(3),
    user_agent: inputText()
      .max(200)
      .regex(/^[ -~]*$/, { error: 'ascii_printable' })
      .default('Breakwater-Health-Check'),
    /** An origin that went down stays out for at least so long. */
    hold_down_seconds: z.int().min(0).max(86_400).default(30),
    /** An origin that is well again waits so long before it gets visitors. */
    failback_delay_seconds: z.int().min(0).max(86_400).default(0),
  })
  .check((context) => {
    const {
      timeout_seconds: timeout,
      interval_seconds: interval,
      method,
      body_contains: text,
    } = context.value;
    if (timeout > interval)
      context.issues.push({
        code: 'custom',
        path: ['timeout_seconds'],
        message: 'timeout_over_interval',
        input: timeout,
      });
    if (method === 'HEAD' && text !== '')
      context.issues.push({ code: 'custom', path: ['body_contains'], message: 'head_no_body', input: text });
  });
export type BackendHealthCheck = z.infer<typeof backendHealthCheck>;
