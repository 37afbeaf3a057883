import { sql } from 'drizzle-orm';
import { median } from './result.ts';
import type { ServerProcess } from './server-process.ts';

const sites = 100_000;
const rounds = 5;
const callsPerRound = 40;
const atOnce = 4;
const filter = { domain_name: 'www.site9', status: 'online', sort_by: 'updated_at', page_size: 20 } as const;

/** Sites like the one that there is, in a few statements. */
async function multiply({ admin, database: { db } }: ServerProcess): Promise<void> {
  const { id } = await admin.get('createSite', {
    body: { domains: ['site1.example.com'], origin: '192.0.2.1', origin_port: 80 },
  });
  await db.execute(sql`
    WITH made AS (
      INSERT INTO site (client_id, order_id, line_group_id, config, own, status)
      SELECT client_id, order_id, line_group_id, replace(config::text, 'site1.example.com', 'site' || n || '.example.com')::jsonb, own, status
      FROM site, generate_series(2, ${sites}::int) n WHERE id = ${id} RETURNING id, config->'domains'->>0 AS domain)
    INSERT INTO site_domain (domain, site_id, position)
    SELECT p || domain, id, place - 1 FROM made, unnest(ARRAY['', 'www.']) WITH ORDINALITY AS d (p, place)`);
  await db.execute(sql`ANALYZE site`);
  await db.execute(sql`ANALYZE site_domain`);
}

/** What the call asks of the rows that it shows: the page, how many there are, and those rows with whose they are. */
async function bareSql({ database: { pool } }: ServerProcess): Promise<void> {
  const where = `s.id IN (SELECT site_id FROM site_domain WHERE domain ILIKE '%www.site9%') AND s.status = 'online'`;
  const [page] = await Promise.all([
    pool.query<{ id: number }>(
      `SELECT s.id FROM site s WHERE ${where} ORDER BY s.updated_at DESC, s.id DESC LIMIT 20`,
    ),
    pool.query(`SELECT count(*) FROM site s WHERE ${where}`),
  ]);
  await pool.query(
    `SELECT s.*, c.name, p.name, l.name FROM site s JOIN client c ON c.id = s.client_id JOIN "order" o ON o.id = s.order_id
       JOIN product p ON p.id = o.product_id JOIN line_group l ON l.id = o.line_group_id WHERE s.id = ANY($1)`,
    [page.rows.map(({ id }) => id)],
  );
}

async function perSecond(ask: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let left = callsPerRound;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await ask();
    }),
  );
  return (callsPerRound * 1000) / (performance.now() - started);
}

/** Requests a second of the list of 100,000 sites with filters, and of the bare SQL, in turns. */
export async function measureList(server: ServerProcess): Promise<{ call: number; bare: number }> {
  await multiply(server);
  const call = () => server.admin.get('listSites', { query: { ...filter, sort_order: 'desc' } });
  const bare = () => bareSql(server);
  await Promise.all([call(), bare()]);
  const rates = { call: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.call.push(await perSecond(call));
    rates.bare.push(await perSecond(bare));
  }
  const both = { call: median(rates.call), bare: median(rates.bare) };
  console.log(`list of ${sites} sites: ${both.call.toFixed(1)} calls/s, bare SQL ${both.bare.toFixed(1)}/s`);
  return both;
}
