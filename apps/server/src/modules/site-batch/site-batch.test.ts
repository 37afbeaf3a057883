import { errors } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { eq, inArray, like, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { certificate, client, product, site, siteBatch, siteDomain, siteRevision } from '../../db/schema.ts';
import { addItems, createOperation } from '../../jobs/operation.store.ts';
import { workThrough } from '../../jobs/test-work.ts';

let world: World;
let customer: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  customer = await makeCustomer(world);
});
afterAll(() => world.close());

const finished = (api: ApiClient, id: number) =>
  waitFor(
    `batch ${id}`,
    async () => {
      const batch = await api.get('getSiteBatch', { params: { id } });
      return batch.status === 'done' && batch;
    },
    120,
  );
const linesOf = async (api: ApiClient, id: number, status?: 'failed' | 'done' | 'unchanged') =>
  (await api.get('listSiteBatchLines', { params: { id }, query: { page_size: 200, status } })).list;
const configOf = (id: number) => world.admin.get('getOriginServerConfig', { query: { site_id: id } });

describe('many new sites', () => {
  it('makes 95 sites of 100 lines; the five bad ones fail alone, each with its reason', async () => {
    const word = unique('many');
    const taken = await makeSite(customer.api);
    const lines = Array.from({ length: 100 }, (_, n) => `www${n}.${word}.example.com|192.0.2.${n + 1}`);
    lines[9] = 'not a domain|192.0.2.1';
    lines[19] = `ok.${word}.example.com, ${taken.domain}|192.0.2.1`;
    // Several lines are worked on at once: of two next to each other, either may be the first.
    lines[39] = `www5.${word}.example.com|192.0.2.1`;
    lines[59] = `www59.${word}.example.com|192.0.2.1:70000`;
    lines[99] = `www99.${word}.example.com`;
    lines[0] = `www0.${word}.example.com, m.www0.${word}.example.com | 192.0.2.7:8443, origin.example.net | https`;
    const { id } = await customer.api.get('createSiteBatch', { body: { lines } });
    const batch = await finished(customer.api, id);
    expect(batch).toMatchObject({ kind: 'create', total: 100, done: 95, failed: 5, unchanged: 0 });

    const failed = await linesOf(customer.api, id, 'failed');
    expect(failed.map((line) => [line.position, line.reason])).toEqual([
      [10, expect.stringContaining('not: Enter a valid domain')],
      [20, `${taken.domain}: Another site already uses this domain`],
      [40, `www5.${word}.example.com: Another site already uses this domain`],
      [60, '192.0.2.1:70000: Please Enter Valid Port Range'],
      [100, 'This field is required'],
    ]);
    const { total } = await customer.api.get('listSites', { query: { domain_name: word } });
    expect(total).toBe(95);
    const [first] = await linesOf(customer.api, id);
    expect(await customer.api.get('getSite', { params: { id: first!.site_id! } })).toMatchObject({
      domains: [`www0.${word}.example.com`, `m.www0.${word}.example.com`],
      origins: ['192.0.2.7:8443', 'origin.example.net:443'],
    });
    const { value } = await configOf(first!.site_id!);
    expect(value).toMatchObject({ protocol: 'https', origins: [{ https_port: 8443 }, { https_port: 443 }] });

    const file = await customer.api.get('exportFailedBatchLines', { params: { id } });
    expect(file.lines.map((line) => line.text)).toEqual([9, 19, 39, 59, 99].map((n) => lines[n]!.trim()));
  });

  it('does the failed ones again when what was in their way is gone', async () => {
    const taken = await makeSite(customer.api);
    const lines = [`${unique('fresh')}.example.com|192.0.2.1`, '', `${taken.domain}|192.0.2.1`];
    const { id } = await customer.api.get('createSiteBatch', { body: { lines } });
    expect(await finished(customer.api, id)).toMatchObject({ total: 2, done: 1, failed: 1 });
    await world.admin.get('removeSite', { params: { id: taken.id } });
    expect(await customer.api.get('retrySiteBatch', { params: { id } })).toEqual({ lines: 1 });
    expect(await finished(customer.api, id)).toMatchObject({ total: 2, done: 2, failed: 0 });
    const positions = (await linesOf(customer.api, id)).map((line) => line.position);
    expect(positions).toEqual([1, 3]);
    expect(await customer.api.get('retrySiteBatch', { params: { id } })).toEqual({ lines: 0 });
  });

  it('holds to the limit of the order when two batches want its last places', async () => {
    const { db } = world.server.services;
    await db.update(product).set({ limits: { sites: 15, domains_per_site: null, ports_per_site: null } });
    try {
      const limited = await makeCustomer(world);
      const lines = () => Array.from({ length: 10 }, () => `${unique('www')}.example.com|192.0.2.1`);
      const started = await Promise.all(
        [lines(), lines()].map((some) => limited.api.get('createSiteBatch', { body: { lines: some } })),
      );
      const batches = await Promise.all(started.map(({ id }) => finished(limited.api, id)));
      expect(batches[0]!.done + batches[1]!.done).toBe(15);
      expect(await db.$count(site, eq(site.clientId, limited.id))).toBe(15);
      const reasons = await Promise.all(started.map(({ id }) => linesOf(limited.api, id, 'failed')));
      expect(new Set(reasons.flat().map((line) => line.reason))).toEqual(
        new Set(['The limit of the plan has been reached']),
      );
    } finally {
      await db.update(product).set({ limits: { sites: null, domains_per_site: null, ports_per_site: null } });
    }
  });

  it.each([
    ['no lines', { lines: [] }],
    ['empty lines only', { lines: ['', '  '] }],
    ['more than 5,000', { lines: Array.from({ length: 5001 }, () => 'a.example.com|192.0.2.1') }],
  ])('refuses %s', async (_, body) => {
    expect(await customer.api.send('POST', '/prod-api/site_batch', body)).toMatchObject({ status: 400 });
  });
});

describe('a batch that is interrupted', () => {
  const bigBatch = async (lines: number) => {
    const word = unique('stop');
    const texts = Array.from({ length: lines }, (_, n) => `www${n}.${word}.example.com|192.0.2.1`);
    const { id } = await customer.api.get('createSiteBatch', { body: { lines: texts } });
    return { id, word };
  };
  const appliedOnce = async (word: string, lines: number) => {
    const { db } = world.server.services;
    const made = await db
      .select({ id: siteDomain.siteId })
      .from(siteDomain)
      .where(like(siteDomain.domain, `%.${word}.example.com`));
    expect(made).toHaveLength(lines);
    const revisions = await db.$count(
      siteRevision,
      sql`${siteRevision.siteId} IN (SELECT site_id FROM site_domain WHERE domain LIKE ${`%.${word}.example.com`})`,
    );
    expect(revisions).toBe(lines);
  };

  it('goes on where it was when the server is up again', async () => {
    const { id, word } = await bigBatch(100);
    const { db } = world.server.services;
    await waitFor(
      'a first line',
      async () => (await db.$count(siteDomain, like(siteDomain.domain, `%.${word}.example.com`))) > 5,
    );
    await world.stopControlPlane();
    await world.startControlPlane();
    const halfway = await customer.api.get('getSiteBatch', { params: { id } });
    expect(halfway.status).toBe('running');
    expect(await finished(customer.api, id)).toMatchObject({ done: 100, failed: 0 });
    await appliedOnce(word, 100);
  });

  it('never does a line twice, however many servers work on it', async () => {
    const { id, word } = await bigBatch(60);
    await workThrough(world.server.services, id, 3);
    expect(await finished(customer.api, id)).toMatchObject({ done: 60, failed: 0 });
    await appliedOnce(word, 60);
  });
});

/** A certificate of the customer; no node looks at it here. */
async function ownCertificate(): Promise<number> {
  const { db, secrets } = world.server.services;
  const [row] = await db
    .insert(certificate)
    .values({
      clientId: customer.id,
      name: unique('certificate'),
      domains: ['example.com'],
      issuer: 'a test',
      fingerprint: unique('print'),
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 86_400_000),
      certificate: '',
      privateKey: secrets.encrypt('a key'),
    })
    .returning({ id: certificate.id });
  return row!.id;
}

describe('one change of many sites', () => {
  const threeSites = async () => {
    const word = unique('change');
    const sites = [];
    for (const part of ['a', 'b', 'c'])
      sites.push(await makeSite(customer.api, { domain: `${part}.${word}.example.com`, port: 8080 }));
    return { word, ids: sites.map((made) => made.id) };
  };

  it('sets the fields that are named and leaves the others, on every site of a filter', async () => {
    const { word, ids } = await threeSites();
    const { value } = await configOf(ids[0]!);
    await customer.api.get('updateOriginServerConfig', {
      query: { site_id: ids[0]! },
      body: { version: 1, value: { ...value, tries: 7 } },
    });
    const { id } = await customer.api.get('changeSitesSection', {
      body: {
        sites: { filter: { domain_name: word }, expected_total: 3 },
        section: 'origin_server_config',
        value: { tries: 7 },
        fields: ['tries'],
      },
    });
    expect(await finished(customer.api, id)).toMatchObject({
      kind: 'section',
      section: 'origin_server_config',
      fields: ['tries'],
      total: 3,
      done: 2,
      unchanged: 1,
    });
    for (const siteId of ids) {
      const config = await configOf(siteId);
      expect(config).toMatchObject({ version: 2, value: { tries: 7, origins: [{ http_port: 8080 }] } });
    }
    const { list } = await customer.api.get('listSiteRevisions', { params: { id: ids[1]! }, query: {} });
    expect(list[0]).toMatchObject({ section: 'origin_server_config', author_type: 'client' });
  });

  it.each([
    ['fewer', 4],
    ['more', 2],
  ])('does nothing where there are %s sites by now than were counted', async (_, expected) => {
    const { word, ids } = await threeSites();
    const body = { sites: { filter: { domain_name: word }, expected_total: expected } };
    const { total } = await customer.api.get('listSiteBatches', { query: {} });
    for (const [language, message] of [
      ['en', `${expected} when selected, 3 now`],
      ['zh', `选择时为 ${expected} 个，现在为 3 个`],
    ] as const) {
      const headers = { 'accept-language': language };
      const answer = await customer.api.send('POST', '/prod-api/site/batch_delete', body, headers);
      expect(answer).toMatchObject({
        status: 409,
        code: errors.selection_changed.code,
        errors: [{ path: 'sites.expected_total', message }],
      });
    }
    expect((await customer.api.get('listSiteBatches', { query: {} })).total).toBe(total);
    expect(await world.server.services.db.$count(site, inArray(site.id, ids))).toBe(3);
  });

  it('refuses at once what no site could take, at its field', async () => {
    const { ids } = await threeSites();
    const body = { sites: { site_ids: ids }, section: 'cache_rule', value: { rules: [{ type: 'magic' }] } };
    const answer = await customer.api.send('POST', '/prod-api/site_batch/config', body);
    expect(answer).toMatchObject({ status: 400, errors: [{ path: 'value.rules.0.type' }] });
  });

  it('fails at the sites that cannot take it, and changes the others', async () => {
    const { ids } = await threeSites();
    const stranger = await makeCustomer(world);
    const foreign = await makeSite(stranger.api);
    const certificateId = await ownCertificate();
    const { id } = await world.admin.get('changeSitesSection', {
      body: {
        sites: { site_ids: [...ids, foreign.id] },
        section: 'certificate_settings',
        value: { certificate_ids: [certificateId] },
      },
    });
    expect(await finished(world.admin, id)).toMatchObject({ done: 3, failed: 1 });
    const [failed] = await linesOf(world.admin, id, 'failed');
    expect(failed).toMatchObject({ site_id: foreign.id, text: foreign.domain });
    expect(failed!.reason).toContain('The selected object does not exist');
  });

  it('puts sites offline, and deletes them', async () => {
    const { word, ids } = await threeSites();
    const sites = { site_ids: ids };
    const off = await customer.api.get('changeSitesStatus', { body: { sites, status: 'offline' } });
    expect(await finished(customer.api, off.id)).toMatchObject({ done: 3 });
    const { list } = await customer.api.get('listSites', { query: { domain_name: word, status: 'offline' } });
    expect(list).toHaveLength(3);
    // What an operator suspended meanwhile, for a reason that the batch has not seen, stays so.
    const [suspended] = list;
    await world.admin.get('updateSiteStatus', {
      params: { id: suspended!.id },
      body: { version: suspended!.version, status: 'suspended', note: 'Phishing reported' },
    });
    for (const status of ['online', 'offline'] as const) {
      const { id } = await world.admin.get('changeSitesStatus', { body: { sites, status } });
      expect(await finished(world.admin, id)).toMatchObject({ done: 2, failed: 1 });
      expect(await linesOf(world.admin, id, 'failed')).toMatchObject([
        { site_id: suspended!.id, reason: expect.stringContaining('suspended this site') as unknown },
      ]);
    }
    expect(await world.admin.get('getSite', { params: { id: suspended!.id } })).toMatchObject({
      status: 'suspended',
      status_note: 'Phishing reported',
    });
    const gone = await customer.api.get('removeSites', { body: { sites } });
    expect(await finished(customer.api, gone.id)).toMatchObject({ kind: 'remove', done: 3 });
    expect(await linesOf(customer.api, gone.id)).toHaveLength(3);
  });

  it('deletes without waiting for nodes, those too that wait already, and for operators only', async () => {
    const { word, ids } = await threeSites();
    const { db } = world.server.services;
    await db.update(site).set({ removedAt: new Date() }).where(eq(site.id, ids[0]!));
    const body = { sites: { site_ids: ids } };
    expect(await customer.api.send('POST', '/prod-api/site/batch_delete_forced', body)).toMatchObject({
      status: 404,
    });
    const { id } = await world.admin.get('removeSitesForced', { body });
    expect(await finished(world.admin, id)).toMatchObject({ kind: 'remove_forced', done: 3 });
    expect((await world.admin.get('listSites', { query: { domain_name: word } })).total).toBe(0);
    expect(await db.$count(site, inArray(site.id, ids))).toBe(0);
    const again = await world.admin.call('removeSitesForced', { body });
    expect(again).toMatchObject({ status: 400, errors: [{ path: 'sites' }] });
  });

  it('tells by its line what is wrong with directives of which only the sites can tell', async () => {
    const { ids } = await threeSites();
    const { id } = await customer.api.get('changeSitesSection', {
      body: {
        sites: { site_ids: ids },
        section: 'advanced_config',
        value: { snippet: 'expires 1h;\nroot /;' },
        fields: ['snippet'],
      },
    });
    expect(await finished(customer.api, id)).toMatchObject({ failed: 3 });
    for (const { reason } of await linesOf(customer.api, id))
      expect(reason).toBe('value.snippet: Line 2: this directive is not allowed');
  });

  it('sends sites again for a supporter', async () => {
    const { ids } = await threeSites();
    const { id } = await world.admin.get('syncSites', { body: { sites: { site_ids: ids } } });
    expect(await finished(world.admin, id)).toMatchObject({ kind: 'sync', done: 3 });
  });
});

describe('whose a batch is', () => {
  it("shows no other customer's batches and reaches no other customer's sites", async () => {
    const other = await makeCustomer(world);
    const mine = await makeSite(customer.api);
    const { id } = await customer.api.get('createSiteBatch', {
      body: { lines: [`${unique('www')}.example.com|192.0.2.1`] },
    });
    const params = { id };
    const answers = await Promise.all([
      other.api.call('getSiteBatch', { params }),
      other.api.call('listSiteBatchLines', { params, query: {} }),
      other.api.call('exportFailedBatchLines', { params }),
      other.api.call('retrySiteBatch', { params }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect((await other.api.get('listSiteBatches', { query: {} })).total).toBe(0);
    const body = { sites: { site_ids: [mine.id] } };
    expect(await other.api.call('removeSites', { body })).toMatchObject({
      status: 400,
      errors: [{ path: 'sites' }],
    });
    await finished(customer.api, id);
  });

  it('does nothing more for an account that was closed meanwhile', async () => {
    const leaving = await makeCustomer(world);
    const { db } = world.server.services;
    const domain = `${unique('late')}.example.com`;
    const id = await db.transaction(async (tx) => {
      const made = await createOperation(tx, {
        kind: 'site_batch',
        title: domain,
        subjectKind: 'site_batch',
        clientId: leaving.id,
        author: { type: 'client', id: leaving.id },
        createdBy: 'leaving',
      });
      await tx.insert(siteBatch).values({ operationId: made, kind: 'create', input: { kind: 'create' } });
      await addItems(tx, made, [{ position: 1, title: `${domain}|192.0.2.1`, kind: 'site' }]);
      await tx.update(client).set({ status: 'disabled' }).where(eq(client.id, leaving.id));
      return made;
    });
    await finished(world.admin, id);
    const [line] = await linesOf(world.admin, id);
    expect(line).toMatchObject({ status: 'failed', reason: 'You do not have permission to do this' });
    expect(await db.$count(siteDomain, eq(siteDomain.domain, domain))).toBe(0);
  });
});
