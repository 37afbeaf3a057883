import { nodeSilentSeconds } from '@breakwater/contract';
import { sql } from 'drizzle-orm';
import { listDeliveries } from '../../delivery/delivery-state.ts';
import { rowsOf, type Queryable } from '../../delivery/queryable.ts';
import { isWithheld } from '../site-claim/site-claim.service.ts';
import type { SiteCertificate } from './served-expected.ts';

/** What a check has to know of a site, and of the nodes that serve it. */

export interface CheckedSite {
  id: number;
  name: string;
  client_id: number;
  /** Those that nodes are told of. */
  domains: string[];
  /** Itself or by what it inherits. */
  staples: boolean;
  certificates: (SiteCertificate & { id: number })[];
}

/** Nothing where there is no such site any more. */
export async function readSite(db: Queryable, id: number): Promise<CheckedSite | undefined> {
  const [site] = await rowsOf<CheckedSite>(
    db,
    sql`SELECT s.id, s.client_id, coalesce(s.config -> 'domains' ->> 0, '') AS name,
          coalesce(${staplingOf('s.config')}, ${staplingOf('c."values"')}, ${staplingOf('r."values"')}, ${staplingOf('g."values"')}, 'false') = 'true'::jsonb AS staples,
          coalesce((SELECT jsonb_agg(d.domain ORDER BY d.position) FROM site_domain d
            WHERE d.site_id = s.id AND NOT ${isWithheld(sql`d`, sql`s.client_id`)}), '[]') AS domains,
          coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'domains', c.domains, 'pem', c.certificate) ORDER BY n.place)
            FROM jsonb_array_elements_text(s.config -> 'certificate_settings' -> 'certificate_ids') WITH ORDINALITY AS n (id, place)
            JOIN certificate c ON c.id = n.id::integer), '[]') AS certificates
        FROM site s JOIN "order" o ON o.id = s.order_id
          LEFT JOIN site_level g ON g.level = 'global'
          LEFT JOIN site_level r ON r.level = 'product' AND r.target_id = o.product_id
          LEFT JOIN site_level c ON c.level = 'client' AND c.target_id = s.client_id
        WHERE s.id = ${id}`,
  );
  return site;
}

/** Levels and sites hold only what they set. */
const staplingOf = (values: string) => sql.raw(`${values} #> '{certificate_settings,ocsp_stapling}'`);

interface CheckedNode {
  id: number;
  ip: string;
  port: number;
}
export interface CheckedNodes {
  /** They report, and have confirmed what they were sent or refused it. */
  ready: CheckedNode[];
  /** They do not report, or have no port for HTTPS: nothing is said of them. */
  silent: number[];
  /** One that reports has not confirmed the newest of it yet. */
  isWaiting: boolean;
}

export async function readNodes(db: Queryable, site: CheckedSite): Promise<CheckedNodes> {
  const rows = await rowsOf<Partial<CheckedNode> & { id: number; reports: boolean }>(
    db,
    sql`SELECT n.id, i.ip, (n.state -> 'https_ports' ->> 0)::integer AS port,
          coalesce(n.status_time > now() - make_interval(secs => ${nodeSilentSeconds}) AND (n.state ->> 'nginx_running')::boolean, false) AS reports
        FROM site s JOIN node_line_group l ON l.line_group_id = s.line_group_id JOIN node n ON n.id = l.node_id AND n.enabled
          LEFT JOIN LATERAL (SELECT ip FROM node_ip WHERE node_id = n.id AND enabled ORDER BY id LIMIT 1) i ON true
        WHERE s.id = ${site.id} ORDER BY n.id`,
  );
  const ready = rows.flatMap(({ id, ip, port, reports }) =>
    reports && ip && port ? [{ id, ip, port }] : [],
  );
  const isReady = new Set(ready.map(({ id }) => id));
  const names = site.certificates.map(({ id }) => ({ kind: 'certificate' as const, key: String(id) }));
  const deliveries = await listDeliveries(db, [{ kind: 'site', key: String(site.id) }, ...names]);
  return {
    ready,
    silent: rows.flatMap(({ id }) => (isReady.has(id) ? [] : [id])),
    isWaiting: deliveries.some(({ nodes }) =>
      nodes.some(({ node_id: id, status }) => isReady.has(id) && status === 'pending'),
    ),
  };
}
