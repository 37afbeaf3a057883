import { startDnsServer, waitFor, type DnsServer } from '@breakwater/test-world';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { acmeAccount, certificateOrder, operation } from '../../db/schema.ts';
import { startServicesProcess } from '../../jobs/test-work.ts';
import { makeResolver } from '../../dns-resolver.ts';
import { renewalId } from '../../providers/acme/certificate-key.ts';
import { runDueOrders } from './certificate-order.service.ts';
import { checkCaa } from './preflight.ts';
import { OrderWorld } from './test-orders.ts';

/** Renewal when the authority says (RFC 9773), which pebble does not: before it stands a directory that names who says it. */

let w: OrderWorld;
let directory: Server;
let window = { start: '', end: '' };
const asked: string[] = [];
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
  const agent = new Agent({ ca: w.pebble.ca });
  directory = createServer((incoming, response) => {
    if (incoming.url !== '/dir') {
      asked.push(incoming.url!);
      response.setHeader('retry-after', '7200');
      return response.end(
        JSON.stringify({ suggestedWindow: window, explanationURL: 'https://why.example/' }),
      );
    }
    request(w.pebble.directoryUrl, { agent }, (real) => {
      const chunks: Buffer[] = [];
      real.on('data', (chunk: Buffer) => chunks.push(chunk));
      real.on('end', () => {
        const renewalInfo = `http://${incoming.headers.host}/renewal`;
        const known = JSON.parse(Buffer.concat(chunks).toString()) as object;
        response.end(JSON.stringify({ ...known, renewalInfo }));
      });
    }).end();
    return undefined;
  });
  await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  directory?.close();
  await w?.close();
});

const hour = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();
const work = () => runDueOrders(w.world.server.services, new AbortController().signal);

describe('an authority that says when', () => {
  it('is asked for each certificate, waited for, and obeyed when it wants one early', async () => {
    // Renewals that name what they replace are free of it.
    const account = await w.makeAccount({ priority: 1, limit_duplicates: 1 });
    const { port } = directory.address() as AddressInfo;
    await w.db
      .update(acmeAccount)
      .set({ directoryUrl: `http://127.0.0.1:${port}/dir` })
      .where(eq(acmeAccount.id, account));
    window = { start: at(24 * 300), end: at(24 * 301) };
    const { id, certificate_id: certificateId } = await w.obtained({ acme_account_id: account });
    const first = await w.certificateOf(certificateId!);
    await waitFor('the question', () => asked.length > 0);
    expect(asked).toEqual([`/renewal/${renewalId(first.certificate)}`]);
    const planned = await w.read(id);
    expect(planned.renew_at! >= window.start && planned.renew_at! <= window.end).toBe(true);
    expect(Date.parse(planned.next_at!) - Date.now()).toBeGreaterThan(1.9 * hour);
    expect(Date.parse(planned.next_at!) - Date.now()).toBeLessThan(2.1 * hour);
    expect((await w.stepsOf(id)).at(-1)).toMatchObject({
      kind: 'renewal_asked_early',
      detail: 'https://why.example/',
    });
    // Nothing is asked before its time.
    await work();
    expect(asked).toHaveLength(1);

    window = { start: at(-2), end: at(-1) };
    await w.db.update(certificateOrder).set({ nextAt: new Date() }).where(eq(certificateOrder.id, id));
    await work();
    expect(asked).toHaveLength(2);
    await work();
    await waitFor(
      'the renewal',
      async () => (await w.certificateOf(first.id)).fingerprint !== first.fingerprint,
    );
    await w.reached(id, 'valid');
    await w.db.update(acmeAccount).set({ renewalsExempt: false }).where(eq(acmeAccount.id, account));
    await w.run(id);
    expect(await w.reached(id, 'waiting')).toMatchObject({ problem: 'limit_reached' });
  });
});

describe('two servers', () => {
  it('that find the same renewals due at once renew each certificate once', async () => {
    const wanted = { acme_account_id: w.accountId };
    const orders = await Promise.all([1, 2, 3, 4].map(() => w.obtained(wanted)));
    const ids = orders.map(({ id }) => id);
    const before = await Promise.all(orders.map((order) => w.certificateOf(order.certificate_id!)));
    const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const other = startServicesProcess(
      w.world,
      `
        const { startWorker } = await import(${here('../../jobs/worker.ts')});
        const { certificateOrderJob } = await import(${here('certificate-order.job.ts')});
        const { runDueOrders } = await import(${here('certificate-order.service.ts')});
        await startWorker(services, { jobs: [certificateOrderJob], schedules: [] });
        await database.pool.query('CREATE TABLE other_server ()');
        for (;;) {
          await runDueOrders(services, new AbortController().signal);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      `,
    );
    try {
      const isThere = sql`SELECT to_regclass('other_server') IS NOT NULL AS there`;
      await waitFor('the other', async () => (await w.db.execute(isThere)).rows[0]!['there'] === true);
      const due = new Date(Date.now() - 1000);
      await w.db
        .update(certificateOrder)
        .set({ renewAt: due, nextAt: due })
        .where(inArray(certificateOrder.id, ids));
      await waitFor('all to be renewed', async () => {
        await work();
        const now = await Promise.all(before.map(({ id }) => w.certificateOf(id)));
        return now.every(({ fingerprint }, index) => fingerprint !== before[index]!.fingerprint);
      });
      for (const id of ids) {
        await w.reached(id, 'valid');
        const kinds = (await w.stepsOf(id)).map(({ kind }) => kind);
        for (const kind of ['started', 'ordered', 'requested', 'issued'])
          expect(
            kinds.filter((each) => each === kind),
            `${kind} of ${id}`,
          ).toHaveLength(2);
      }
      const tries = and(eq(operation.kind, 'certificate_order'), inArray(operation.subjectId, ids));
      expect(await w.db.$count(operation, tries)).toBe(2 * ids.length);
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
  });
});

describe('CAA records', () => {
  let dns: DnsServer;
  beforeAll(async () => {
    dns = await startDnsServer('example.com', [
      'ours IN CAA 0 issue "pebble.test; validationmethods=dns-01"',
      'theirs IN CAA 0 issue "other.test"',
      'nobody IN CAA 0 issue ";"',
      'wild IN CAA 0 issue "other.test"',
      'wild IN CAA 0 issuewild "pebble.test"',
      'others IN CAA 0 issuewild "other.test"',
      'report IN CAA 0 iodef "mailto:a@example.com"',
    ]);
  });
  afterAll(() => dns?.close());

  const check = (name: string) => checkCaa(makeResolver([dns.address]), name, ['pebble.test']);

  it.each(['ours', 'www.ours', '*.ours', '*.wild', 'report', 'none'])(
    'let the authority: %s',
    async (name) => {
      await expect(check(`${name}.example.com`)).resolves.toBeUndefined();
    },
  );

  it.each([
    ['theirs', 'theirs.example.com: other.test'],
    ['deep.www.theirs', 'theirs.example.com: other.test'],
    ['wild', 'wild.example.com: other.test'],
    ['nobody', 'nobody.example.com: ;'],
  ])('do not: %s', async (name, detail) => {
    await expect(check(`${name}.example.com`)).rejects.toMatchObject({ problem: 'caa_forbids', detail });
  });

  it('that are to be added are said, as the record has them', async () => {
    const said = (facts: object) => ({ facts: { identity: 'pebble.test', ...facts } });
    await expect(check('www.theirs.example.com')).rejects.toMatchObject(
      said({ name: 'theirs.example.com', tag: 'issue' }),
    );
    await expect(check('*.others.example.com')).rejects.toMatchObject(
      said({ name: 'others.example.com', tag: 'issuewild' }),
    );
  });
});
