import type { CertificateOrderProblem } from '@breakwater/contract';
import { Authority } from '@breakwater/test-world/authority';
import { makeSite, saveSetting, startDnsServer, waitFor } from '@breakwater/test-world';
import { and, eq, sql } from 'drizzle-orm';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  acmeAccount,
  certificateOrder,
  edgeDocument,
  node,
  nodeIp,
  order,
  product,
} from '../../db/schema.ts';
import { acknowledge } from '../../delivery/acknowledge.ts';
import { OrderWorld } from './test-orders.ts';

/** What a timeline says went wrong, each made to happen: what a site's owner has to mend reads from it alone. */

const nodeAddress = '127.0.0.77';
let w: OrderWorld;
let nodeId = 0;
beforeAll(async () => {
  w = await OrderWorld.start(inject('templateUrl'));
  await w.db.update(nodeIp).set({ ip: nodeAddress });
  nodeId = (await w.world.admin.get('listNodes', { query: {} })).list[0]!.id;
});
afterAll(() => w?.close());

/** The order, once its try has failed for this; its timeline says the same. */
async function failsBy(id: number, problem: CertificateOrderProblem) {
  const found = await w.reached(id, 'failed');
  expect(found.problem).toBe(problem);
  const failed = (await w.stepsOf(id)).findLast(({ kind }) => kind === 'failed');
  expect(failed).toMatchObject({ problem, detail: found.problem_detail });
  expect(found.next_at).not.toBeNull();
  return found;
}

const ordered = async (more: object = {}, domains?: string[]) =>
  (await w.order(w.one, more, domains)).data.id;
const inPhase = (id: number, phase: string) =>
  waitFor(`order ${id} to be ${phase}`, async () => {
    const [row] = await w.db.select().from(certificateOrder).where(eq(certificateOrder.id, id));
    return row!.phase === phase;
  });
/** As if it had waited so long by now. */
const waited = (id: number, seconds: number) =>
  w.db.execute(
    sql`UPDATE certificate_order SET waiting_since = now() - make_interval(secs => ${seconds}) WHERE id = ${id}`,
  );

describe('the account', () => {
  const enable = async (enabled: boolean) => {
    await w.db.update(acmeAccount).set({ enabled });
  };

  it('that is to be chosen is not there', async () => {
    const { id } = await w.obtained();
    await enable(false);
    onTestFinished(() => enable(true));
    await w.run(id);
    await failsBy(id, 'no_account');
  });

  it('that was chosen is switched off', async () => {
    const { id } = await w.obtained({ acme_account_id: w.accountId });
    await enable(false);
    onTestFinished(() => enable(true));
    await w.run(id);
    const { problem_detail: name } = await failsBy(id, 'account_disabled');
    const { list } = await w.world.admin.get('listAcmeAccounts', { query: {} });
    expect(list.map((each) => each.name)).toContain(name);
  });
});

it('the customer has as many certificates as their products allow', async () => {
  const [bought] = await w.db.select().from(order).where(eq(order.id, w.one.orderId));
  const [{ limits }] = (await w.db.select().from(product).where(eq(product.id, bought!.productId))) as [
    typeof product.$inferSelect,
  ];
  const put = async (certificates: number | null) => {
    await w.db
      .update(product)
      .set({ limits: { ...limits, certificates } })
      .where(eq(product.id, bought!.productId));
  };
  await put(0);
  onTestFinished(() => put(limits.certificates ?? null));
  await failsBy(await ordered(), 'certificate_limit');
});

describe('the DNS', () => {
  const servers = (list: string[]) =>
    saveSetting(w.world, 'SiteSetting', { dns_servers: list, compared_dns_servers: [], site_check: false });
  const ask = async (address: string) => {
    await servers([address]);
    onTestFinished(() => servers([w.host.server]).then(() => undefined));
  };

  it('does not answer for a name', async () => {
    const elsewhere = await startDnsServer('elsewhere.test');
    onTestFinished(() => elsewhere.close());
    await ask(elsewhere.address);
    const found = await failsBy(await ordered({ challenge: 'http-01', dns_account_id: null }), 'dns_failed');
    expect(found.problem_detail).toBe(`${found.domains[0]}: refused`);
  });

  it('does not show the record that was written', async () => {
    const other = await startDnsServer('example.com');
    onTestFinished(() => other.close());
    await ask(other.address);
    const id = await ordered();
    await inPhase(id, 'sent');
    await waited(id, 1201);
    const found = await failsBy(id, 'record_unseen');
    expect(found.problem_detail).toBe(`_acme-challenge.${found.domains[0]}`);
  });
});

it('the DNS host answers half, and goes on to', async () => {
  const host = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('[{"name":"example.com.",', () => response.destroy());
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void host.close());
  const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const id = await ordered({ dns_account_id: await w.makeDns(w.one, w.host.apiKey, url) });
  await inPhase(id, 'ordered');
  await waited(id, 61);
  await failsBy(id, 'dns_account');
});

describe('the nodes that are to answer', () => {
  /** Sent to the node, of whose agent there is nothing. */
  async function sent(): Promise<number> {
    const { domain } = await makeSite(w.one.api, { orderId: w.one.orderId });
    await w.host.write('example.com', domain, 'A', [nodeAddress]);
    const id = await ordered({ challenge: 'http-01', dns_account_id: null }, [domain]);
    await inPhase(id, 'sent');
    return id;
  }

  it('are all away', async () => {
    const id = await sent();
    await waited(id, 31);
    await failsBy(id, 'no_nodes');
  });

  it('say nothing, though they are there', async () => {
    await w.db.update(node).set({ statusTime: new Date() }).where(eq(node.id, nodeId));
    const id = await sent();
    await waited(id, 301);
    const found = await failsBy(id, 'nodes_late');
    expect(found.problem_detail).toBe('1 / 1');
    await w.db.update(node).set({ statusTime: null }).where(eq(node.id, nodeId));
  });

  it('refuse', async () => {
    const id = await sent();
    const key = String(id);
    const [document] = await w.db
      .select()
      .from(edgeDocument)
      .where(and(eq(edgeDocument.kind, 'acme_challenge'), eq(edgeDocument.key, key)));
    const results = [
      {
        kind: 'acme_challenge' as const,
        key,
        revision: document!.revision,
        status: 'refused' as const,
        error: 'no memory is left',
      },
    ];
    await w.db.transaction((tx) => acknowledge(tx, nodeId, results));
    const found = await failsBy(id, 'node_refused');
    expect(found.problem_detail).toBe('no memory is left');
  });
});

/** What an authority answers besides its directory, its nonces and its accounts. */
type Script = Record<string, (response: ServerResponse, base: string) => void>;

/** An authority that says what pebble does not: an account at it, for orders that name it. */
async function accountAt(script: Script, meta: object = {}): Promise<number> {
  let base = '';
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('replay-nonce', 'nonce');
    const url = request.url!;
    const scripted = script[url];
    if (url === '/dir')
      response.end(
        JSON.stringify({
          newNonce: `${base}/nonce`,
          newAccount: `${base}/account`,
          newOrder: `${base}/order`,
          meta,
        }),
      );
    else if (url === '/account') response.writeHead(201, { location: `${base}/account/1` }).end('{}');
    else if (scripted === undefined) response.end();
    else scripted(response, base);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const id = await w.makeAccount();
  await w.db
    .update(acmeAccount)
    .set({ directoryUrl: `${base}/dir` })
    .where(eq(acmeAccount.id, id));
  return id;
}

const say = (status: number, type: string, detail: string) => (response: ServerResponse) =>
  response
    .writeHead(status, { 'retry-after': '7200' })
    .end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail }));
const orderAt = (base: string, more: object) =>
  JSON.stringify({ status: 'pending', authorizations: [`${base}/name`], finalize: `${base}/end`, ...more });
const begun = (response: ServerResponse, base: string) =>
  response.writeHead(201, { location: `${base}/order/1` }).end(orderAt(base, {}));

describe('the authority', () => {
  it('refuses, in its own words', async () => {
    const account = await accountAt({ '/order': say(403, 'rejectedIdentifier', 'This name is on our list') });
    const found = await failsBy(await ordered({ acme_account_id: account }), 'authority_refused');
    expect(found.problem_detail).toBe('This name is on our list');
  });

  it('limits, until when it says', async () => {
    const account = await accountAt({ '/order': say(429, 'rateLimited', 'too many new orders') });
    const found = await failsBy(await ordered({ acme_account_id: account }), 'rate_limited');
    expect(found.problem_detail).toBe('too many new orders');
    expect(Date.parse(found.next_at!) - Date.now()).toBeGreaterThan(7_100_000);
  });

  it('answers what is no answer', async () => {
    const account = await accountAt({
      '/order': (response, base) =>
        response.writeHead(201, { location: `${base}/order/1` }).end('<html>Welcome</html>'),
    });
    await failsBy(await ordered({ acme_account_id: account }), 'authority_answer');
  });

  it('wants to know its customers otherwise', async () => {
    const account = await accountAt({}, { externalAccountRequired: true });
    await failsBy(await ordered({ acme_account_id: account }), 'eab_required');
  });

  it('offers no proof of the kind that was chosen', async () => {
    let name = '';
    const account = await accountAt({
      '/order': begun,
      '/order/1': (response, base) => response.end(orderAt(base, {})),
      '/name': (response) =>
        response.end(
          JSON.stringify({
            status: 'pending',
            identifier: { type: 'dns', value: name },
            challenges: [{ type: 'tls-alpn-01', url: 'https://a.example/1', status: 'pending' }],
          }),
        ),
    });
    const id = await ordered({ acme_account_id: account });
    [name] = (await w.read(id)).domains as [string];
    await failsBy(id, 'no_challenge');
  });

  it('gives a certificate that has ended by the clock of this server', async () => {
    const issuer = await Authority.make('An issuer of the past');
    onTestFinished(() => issuer.close());
    const { certificate } = await issuer.issue(['past.example.com'], { days: -1 });
    const account = await accountAt({
      '/order': begun,
      '/order/1': (response, base) =>
        response.end(
          orderAt(
            base,
            isRequested ? { status: 'valid', certificate: `${base}/chain` } : { status: 'ready' },
          ),
        ),
      '/end': (response, base) => {
        isRequested = true;
        response.end(orderAt(base, { status: 'processing' }));
      },
      '/chain': (response) => response.end(certificate),
    });
    let isRequested = false;
    const found = await failsBy(await ordered({ acme_account_id: account }), 'clock_off');
    expect(found.problem_detail).toMatch(/^\d{4}-.* – \d{4}-/);
  });
});
