import * as z from 'zod';
import { inputText } from './common.ts';

/** Record types that can be read and written; RFC 1035, 3596, 2782, 8659. */
export const dnsRecordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'] as const;
export type DnsRecordType = (typeof dnsRecordTypes)[number];

/** Labels by RFC 1035 with underscores (RFC 8552), and `*` as the first. */
export const dnsName = inputText()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/,
    {
      error: 'dns_name',
    },
  );

/**
 * Where those who ask a DNS host come from: networks of Chinese carriers, and all others. `default` answers whoever no other
 * line answers.
 */
export const dnsLines = ['default', 'telecom', 'unicom', 'mobile', 'edu', 'overseas'] as const;
export type DnsLine = (typeof dnsLines)[number];

export const dnsRecordSet = z.strictObject({
  name: z.string(),
  type: z.enum(dnsRecordTypes),
  /** One of `dnsLines`, or as the DNS host calls one that is not among them; absent: `default`. */
  line: z.string().optional(),
  ttl: z.int(),
  /** As a zone file writes them. */
  values: z.array(z.string()),
});
export type DnsRecordSet = z.infer<typeof dnsRecordSet>;
