import { readFileSync } from 'node:fs';
import * as z from 'zod';

const url = z.url({ protocol: /^https?$/ });

/** What `npm run test:attack -- --at FILE` is told of the installation it attacks; docs/security.md says more. */
const attackTargetShape = z.strictObject({
  /** The API, with sessions of an owner and of a customer that has an active order. */
  api: z
    .strictObject({ adminUrl: url, userUrl: url, adminToken: z.string(), userToken: z.string() })
    .optional(),
  /** A node, a domain of a site that it serves, and what is closed there. */
  edge: z
    .strictObject({
      url,
      host: z.string(),
      closed: z.strictObject({ path: z.string().startsWith('/'), content: z.string().min(1) }).optional(),
    })
    .optional(),
});

/** Read from the file that the run names. */
export function attackTarget(): { api?: Api; edge?: Edge } {
  const file = process.env.ATTACK_TARGET;
  if (file === undefined) throw new Error('Run by `npm run test:attack -- --at FILE`');
  const { api, edge } = attackTargetShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (api === undefined && edge === undefined) throw new Error(`${file} names neither an API nor an edge`);
  const closed = edge?.closed;
  return {
    ...(api === undefined ? {} : { api }),
    ...(edge === undefined
      ? {}
      : { edge: { url: edge.url, host: edge.host, ...(closed === undefined ? {} : { closed }) } }),
  };
}

interface Api {
  adminUrl: string;
  userUrl: string;
  adminToken: string;
  userToken: string;
}

interface Edge {
  url: string;
  host: string;
  closed?: { path: string; content: string };
}
