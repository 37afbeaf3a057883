import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import { node, site } from '../db/schema.ts';
import { rowsOf } from '../delivery/queryable.ts';
import { limitKinds } from '../limits/account-limits.ts';
import { nodeStatus } from '../modules/node/node.store.ts';
import type { Services } from '../services.ts';

/** Figures for Prometheus, in its text format 0.0.4. */

type Labels = Record<string, string | number>;
interface Metric {
  name: string;
  type: 'gauge' | 'counter';
  help: string;
  values: { labels?: Labels; value: number }[];
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** The text of metrics; one without a value is left out. */
export function metricsText(metrics: readonly Metric[]): string {
  const lines: string[] = [];
  for (const { name, type, help, values } of metrics) {
    if (values.length === 0) continue;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { labels = {}, value } of values) {
      const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(String(text))}"`);
      lines.push(`${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** `/metrics`, for who has the token; where none is set there is no such page. */
export function serveMetrics(app: FastifyInstance, services: Services): void {
  const { metricsToken } = services.config;
  if (metricsToken === '') return;
  const answers = new Map<string, number>();
  app.addHook('onResponse', async (_request, reply) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  app.get('/metrics', async (request, reply) => {
    if (!isToken(request.headers.authorization, metricsToken))
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send('The token of METRICS_TOKEN is asked for.\n');
    const metrics = [
      ...processMetrics(answers),
      refusals(services),
      single(
        'console_faults_total',
        'counter',
        'Failures in consoles that no part of them handled, told to this process.',
        services.consoleFaults.count,
      ),
      ...(await storeMetrics(services)),
      ...(await nodeMetrics(services)),
      ...(await eventMetrics(services)),
    ];
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metricsText(metrics));
  });
}

/** Compared by their hashes, so that neither length nor content shows in the time it takes. */
function isToken(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`));
}

const single = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
  name: `breakwater_${name}`,
  type,
  help,
  values: [{ value }],
});

function processMetrics(answers: ReadonlyMap<string, number>): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    single('uptime_seconds', 'gauge', 'How long this process runs.', process.uptime()),
    single('cpu_seconds_total', 'counter', 'Processor time of this process.', (user + system) / 1e6),
    single('memory_bytes', 'gauge', 'Memory of this process.', process.memoryUsage.rss()),
    {
      name: 'breakwater_api_answers_total',
      type: 'counter',
      help: 'Answers of this listener, by the class of their status.',
      values: [...answers].map(([status, value]) => ({ labels: { status }, value })),
    },
  ];
}

const refusals = ({ limits: { refused } }: Services): Metric => ({
  name: 'breakwater_account_limit_refusals_total',
  type: 'counter',
  help: 'Calls of accounts that asked too often, refused by this process.',
  values: limitKinds.map((kind) => ({ labels: { kind }, value: refused[kind] })),
});

async function storeMetrics({ db, logStore, log }: Services): Promise<Metric[]> {
  const [stats, [sites]] = await Promise.all([
    logStore.stats().catch((err: unknown) => {
      log.warn({ err }, 'log store');
      return undefined;
    }),
    db.select({ total: sql<number>`count(*)::int` }).from(site),
  ]);
  const common = [
    single('sites', 'gauge', 'Sites.', sites?.total ?? 0),
    single('log_store_up', 'gauge', '1: the log store answers.', stats ? 1 : 0),
  ];
  if (!stats) return common;
  const newest = stats.newest ? [{ value: Date.parse(stats.newest) / 1000 }] : [];
  return [
    ...common,
    single('log_records', 'gauge', 'Access-log records that are kept.', stats.records),
    single('log_bytes', 'gauge', 'Size of the log store on disk.', stats.bytesOnDisk),
    single(
      'log_broken_lines',
      'gauge',
      'Lines passed over as broken, of the files remembered.',
      stats.brokenLines,
    ),
    {
      name: 'breakwater_log_newest_timestamp_seconds',
      type: 'gauge',
      help: 'Time of the newest record.',
      values: newest,
    },
  ];
}

async function nodeMetrics({ db }: Services): Promise<Metric[]> {
  return metricsOf(await db.select().from(node).orderBy(node.id));
}

function metricsOf(nodes: (typeof node.$inferSelect)[]): Metric[] {
  const now = Date.now();
  const metric = (
    name: string,
    help: string,
    valueOf: (row: (typeof nodes)[number]) => number | undefined,
    type: Metric['type'] = 'gauge',
  ): Metric => ({
    name: `breakwater_node_${name}`,
    type,
    help,
    values: nodes.flatMap((row) => {
      const value = valueOf(row);
      return value === undefined ? [] : [{ labels: { node_id: row.id, node: row.name }, value }];
    }),
  });
  const counter = (name: string, help: string, valueOf: Parameters<typeof metric>[2]) =>
    metric(name, help, valueOf, 'counter');
  return [
    metric('up', '1: the node reports and its nginx runs.', (row) =>
      Number(nodeStatus(row, new Date(now)) === 'normal'),
    ),
    metric('enabled', '1: the node is to serve.', (row) => Number(row.enabled)),
    metric('report_age_seconds', 'Since the node last reported.', (row) =>
      row.statusTime ? (now - row.statusTime.getTime()) / 1000 : undefined,
    ),
    metric('cpu_share', 'Share of the processors in use, 0 to 1.', ({ state }) => state?.cpu_share),
    metric('memory_used_bytes', 'Memory in use.', ({ state }) => state?.memory_used),
    metric('memory_bytes', 'Memory there is.', ({ state }) => state?.memory_total),
    metric('disk_used_bytes', 'Disk in use where the edge lies.', ({ state }) => state?.disk_used),
    metric('disk_bytes', 'Disk there is.', ({ state }) => state?.disk_total),
    metric('load', 'Programs that ran or wanted to, the mean of a minute.', ({ state }) => state?.load),
    metric('received_bytes_per_second', 'From other machines.', ({ state }) => state?.network_in),
    metric('sent_bytes_per_second', 'To other machines.', ({ state }) => state?.network_out),
    metric('connections', 'Open connections of nginx.', ({ state }) => state?.connections),
    metric('documents', 'Documents in service.', ({ state }) => state?.documents),
    metric('log_backlog_bytes', 'Access log not yet shipped.', ({ state }) => state?.log_backlog),
    counter('log_dropped_bytes_total', 'Access log given up.', ({ state }) => state?.log_dropped),
    counter('error_log_lines_total', "Lines of nginx's own errors.", ({ state }) => state?.error_log_lines),
    metric(
      'log_foreign_lines_total',
      'Log lines that were not taken: of sites that the node does not serve.',
      (row) => row.logLinesForeign,
      'counter',
    ),
  ];
}

/** How far consumers of events are behind. */
async function eventMetrics({ db }: Services): Promise<Metric[]> {
  const rows = await rowsOf<{ name: string; attempt: number; waiting: number }>(
    db,
    sql`SELECT c.name, c.attempt,
          (SELECT count(*)::int FROM event e WHERE e.place > c.position OR e.place IS NULL) AS waiting
        FROM event_consumer c ORDER BY c.name`,
  );
  const metric = (name: string, help: string, value: 'attempt' | 'waiting'): Metric => ({
    name: `breakwater_events_${name}`,
    type: 'gauge',
    help,
    values: rows.map((row) => ({ labels: { consumer: row.name }, value: row[value] })),
  });
  return [
    metric('waiting', 'Events that a consumer has before it.', 'waiting'),
    metric('failures', 'How often a consumer has failed at the event that is next.', 'attempt'),
  ];
}
