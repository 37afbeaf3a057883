import { isPortAllowed, type ListenPort } from '@breakwater/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { ApiError, type FieldIssue } from '../../api-error.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { node, nodeLineGroup, order, product, site } from '../../db/schema.ts';
import { readSitePortSetting } from '../setting/setting.store.ts';
import { defineSection } from './section.ts';

/** Ports that a site has beside those of its nodes. */
export const listenPortSection = defineSection('listen_port', {
  async check({ tx, site: of, before: { listen_port: before }, after: { listen_port: after }, path }) {
    if (JSON.stringify(before) !== JSON.stringify(after)) await checkPorts(tx, of, before, after, path);
  },
  publish: (value) => (value.http_ports.length + value.https_ports.length > 0 ? { listen_port: value } : {}),
});

/** The ports of a line group's nodes, and what else of them its sites' ports depend on. */
export async function nodePorts(db: Db, lineGroupId: number) {
  const rows = await db
    .select({ state: node.state })
    .from(node)
    .innerJoin(nodeLineGroup, eq(nodeLineGroup.nodeId, node.id))
    .where(and(eq(nodeLineGroup.lineGroupId, lineGroupId), eq(node.enabled, true)));
  const portsOf = (pick: 'http_ports' | 'https_ports') =>
    [...new Set(rows.flatMap(({ state }) => state?.[pick] ?? []))].sort((one, other) => one - other);
  return {
    node_http_ports: portsOf('http_ports'),
    node_https_ports: portsOf('https_ports'),
    nodes_total: rows.length,
    nodes_ipv6: rows.filter(({ state }) => state?.ipv6 === true).length,
    nodes_http3: rows.filter(({ state }) => state?.http3 === true).length,
  };
}

const fields = ['http_ports', 'https_ports'] as const;
const otherOf = { http_ports: 'https_ports', https_ports: 'http_ports' } as const;

/**
 * Refuses ports that sites may not have, those of the nodes themselves, and those that a site of the same line group has
 * for the other protocol. Ports that the site had before are let be, whatever the setting says now.
 */
async function checkPorts(
  tx: Transaction,
  of: { id: number; orderId: number; lineGroupId: number },
  before: ListenPort,
  after: ListenPort,
  path: string,
): Promise<void> {
  const [bought] = await tx
    .select({ limits: product.limits })
    .from(order)
    .innerJoin(product, eq(product.id, order.productId))
    .where(eq(order.id, of.orderId));
  const max = bought?.limits.ports_per_site ?? null;
  if (max !== null && after.http_ports.length + after.https_ports.length > max)
    throw new ApiError('limit_reached');
  const setting = await readSitePortSetting(tx);
  const nodes = await nodePorts(tx, of.lineGroupId);
  const own = [...nodes.node_http_ports, ...nodes.node_https_ports];
  const issues: FieldIssue[] = [];
  for (const field of fields)
    for (const [index, port] of after[field].entries()) {
      if (before[field].includes(port)) continue;
      const place = `${path}.${field}.${index}`;
      if (!isPortAllowed(setting, port) || own.includes(port))
        issues.push({ path: place, issue: 'port_not_allowed' });
      else if (await isTaken(tx, of.id, of.lineGroupId, otherOf[field], port))
        issues.push({ path: place, issue: 'port_scheme_taken' });
    }
  if (issues.length > 0) throw new ApiError('invalid_input', issues);
}

/**
 * Refuses another line group for a site whose ports are not free there. What operators allow is no question: the site has
 * the ports already.
 */
export async function checkPortsIn(
  tx: Transaction,
  of: { id: number; domain: string; ports: ListenPort },
  lineGroupId: number,
): Promise<void> {
  if (of.ports.http_ports.length + of.ports.https_ports.length === 0) return;
  const nodes = await nodePorts(tx, lineGroupId);
  const own = [...nodes.node_http_ports, ...nodes.node_https_ports];
  for (const field of fields)
    for (const port of of.ports[field]) {
      const issue = own.includes(port)
        ? 'port_not_allowed'
        : (await isTaken(tx, of.id, lineGroupId, otherOf[field], port))
          ? 'port_scheme_taken'
          : undefined;
      if (issue)
        throw new ApiError('invalid_input', [
          { path: 'line_group_id', issue, detail: ` (${of.domain} ${port})` },
        ]);
    }
}

async function isTaken(
  tx: Transaction,
  siteId: number,
  lineGroupId: number,
  field: (typeof fields)[number],
  port: number,
): Promise<boolean> {
  const [found] = await tx
    .select({ id: site.id })
    .from(site)
    .where(
      and(
        ne(site.id, siteId),
        eq(site.lineGroupId, lineGroupId),
        sql`${site.config}->'listen_port' @> ${JSON.stringify({ [field]: [port] })}::jsonb`,
      ),
    )
    .limit(1);
  return found !== undefined;
}
