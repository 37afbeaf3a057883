import * as z from 'zod';
import { port } from '../common.ts';

const ports = z.array(port).max(20).default([]);

/** Ports beside those of the node at which the site answers. */
export const listenPort = z.strictObject({ http_ports: ports, https_ports: ports }).check((context) => {
  const seen: number[] = [];
  for (const field of ['http_ports', 'https_ports'] as const)
    context.value[field].forEach((each, index) => {
      if (seen.includes(each))
        context.issues.push({ code: 'custom', path: [field, index], message: 'port_twice', input: each });
      seen.push(each);
    });
});
export type ListenPort = z.infer<typeof listenPort>;
