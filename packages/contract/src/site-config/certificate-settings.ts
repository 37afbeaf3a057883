import * as z from 'zod';
import { id } from '../common.ts';

export const certificateSettings = z.strictObject({
  /** Chosen by SNI among these; none: the node's default certificate. */
  certificate_ids: z.array(id).max(50).default([]),
});
export type CertificateSettings = z.infer<typeof certificateSettings>;
