import type { LevelDocument } from '@breakwater/contract/edge-document';
import { untrustedFields } from '@breakwater/contract/site-config/visitor-fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedOrigin, type ScriptedOrigin } from './scripted-origin.ts';
import { makeEnvelope, makeSite, TestEdge, type Answer, type SiteInput } from './support.ts';

/** Fields that are removed from requests, and those that a site lets through all the same. */

let edge: TestEdge;
let origin: ScriptedOrigin;
let nextId = 1;
const field = 'x-http-method-override';

beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startScriptedOrigin();
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

const product = 40;

function siteOf(passed: string[] | undefined, more: Partial<SiteInput> = {}) {
  const id = nextId++;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const site = makeSite({ id, domains: [`passed${id}.test`], origins, ...more });
  // As a document could say it that no control plane makes.
  return {
    ...site,
    product_id: product,
    ...(passed === undefined ? {} : { real_ip: { ...site.real_ip, pass_headers: passed } }),
  };
}

async function serve(passed?: string[], more?: Partial<SiteInput>): Promise<string> {
  const site = siteOf(passed, more);
  const [result] = await edge.applySites(site as never);
  expect(result).toMatchObject({ status: 'applied' });
  return site.domains[0]!;
}

const echo = (headers: Record<string, string> = {}) =>
  origin.serve((request) => ({ headers, body: JSON.stringify(request.headers) }));
const state = ({ headers }: Answer) => headers['x-cache'];
const heard = ({ body }: Answer) => JSON.parse(body) as Record<string, string | undefined>;

describe('by default', () => {
  it('all of them are removed, with every method', async () => {
    const host = await serve();
    const headers = Object.fromEntries(untrustedFields.map((name) => [name, 'evil']));
    for (const method of ['GET', 'POST'])
      expect((await edge.get(host, echo(), { method, headers })).body).not.toContain('evil');
  });
});

describe('let through', () => {
  it('reaches the origin as it was sent, of this site and no other, and others of its kind do not', async () => {
    const path = echo();
    const headers = {
      'X-HTTP-Method-Override': 'PATCH',
      'X-HTTP-Method': 'PUT',
      'True-Client-IP': '192.0.2.1',
    };
    const chosen = heard(await edge.get(await serve([field]), path, { method: 'POST', headers }));
    expect(chosen[field]).toBe('PATCH');
    expect(chosen).not.toHaveProperty('x-http-method');
    expect(chosen).not.toHaveProperty('true-client-ip');
    const other = heard(await edge.get(await serve(['true-client-ip']), path, { method: 'POST', headers }));
    expect(other).not.toHaveProperty(field);
    expect(other['true-client-ip']).toBe('192.0.2.1');
  });

  it.each(untrustedFields)('%s can be', async (name) => {
    expect(heard(await edge.get(await serve([name]), echo(), { headers: { [name]: 'own' } }))[name]).toBe(
      'own',
    );
  });

  it('is not what the node says itself, whatever a document says', async () => {
    const reserved = [
      'x-forwarded-for',
      'x-real-ip',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-client-verify',
      'x-breakwater-port',
      'forwarded',
      'proxy',
      'proxy-authorization',
    ];
    const host = await serve(reserved);
    const headers = Object.fromEntries(reserved.map((name) => [name, 'evil']));
    const answer = await edge.get(host, echo(), { headers });
    expect(answer.body).not.toContain('evil');
    expect(heard(answer)).toMatchObject({ 'x-real-ip': '127.0.0.1', 'x-forwarded-host': host });
  });

  it('gives way to what a rule of the site sets', async () => {
    const host = await serve(['true-client-ip'], {
      rewrite: { request_headers: [{ action: 'set', name: 'True-Client-IP', value: '${client_ip}' }] },
    });
    const answer = await edge.get(host, echo(), { headers: { 'true-client-ip': 'evil' } });
    expect(heard(answer)['true-client-ip']).toBe('127.0.0.1');
  });

  it('judges by the method that was sent: what the override says is the origin’s to judge', async () => {
    const host = await serve([field], { access: { rules: [{ action: 'deny', methods: ['DELETE'] }] } });
    const path = echo();
    expect((await edge.get(host, path, { method: 'DELETE' })).status).toBe(403);
    const answer = await edge.get(host, path, { method: 'POST', headers: { [field]: 'DELETE' } });
    expect(heard(answer)[field]).toBe('DELETE');
  });
});

describe('the cache', () => {
  const fresh = { 'Cache-Control': 'max-age=600' };

  it.each([
    ['without rules', []],
    ['with a rule', [{ type: 'all', ttl_seconds: 600, key_headers: ['accept-language'] }]],
    ['that keeps parts', [{ type: 'all', ttl_seconds: 600, slice_bytes: 1_048_576 }]],
  ] as [string, SiteInput['rules']][])(
    '%s: neither answers who sends such a field, nor keeps what they get',
    async (_name, rules = []) => {
      const host = await serve([field], { rules });
      const path = echo(fresh);
      const evil = await edge.get(host, path, { headers: { [field]: 'EVIL' } });
      expect(evil.body).toContain('EVIL');
      expect(state(evil)).toBe('BYPASS');
      const first = await edge.get(host, path);
      expect(first.body).not.toContain('EVIL');
      expect(state(first)).toBe('MISS');
      expect(state(await edge.get(host, path))).toBe('HIT');
      expect((await edge.get(host, path, { headers: { [field]: 'EVIL' } })).body).toContain('EVIL');
      // An empty one is sent on as well.
      expect(state(await edge.get(host, path, { headers: { [field]: '' } }))).toBe('BYPASS');
      const last = await edge.get(host, path);
      expect([state(last), last.body]).toEqual(['HIT', first.body]);
    },
  );

  it('keeps answers apart where the rule has the field in its key', async () => {
    const host = await serve(['true-client-ip', field], {
      rules: [{ type: 'all', ttl_seconds: 600, key_headers: ['True-Client-IP'] }],
    });
    const path = echo(fresh);
    const ask = async (headers: Record<string, string>) => {
      const answer = await edge.get(host, path, { headers });
      return [state(answer), heard(answer)['true-client-ip']];
    };
    for (const found of ['MISS', 'HIT'])
      for (const address of ['192.0.2.1', '192.0.2.2'])
        expect(await ask({ 'true-client-ip': address })).toEqual([found, address]);
    expect(await ask({})).toEqual(['MISS', undefined]);
    expect(await ask({ 'true-client-ip': '192.0.2.1', [field]: 'PUT' })).toEqual(['BYPASS', '192.0.2.1']);
  });

  it('has what comes without it: a field that Connection names goes no further', async () => {
    const host = await serve([field]);
    const path = echo(fresh);
    const headers = { [field]: 'EVIL', connection: field };
    expect((await edge.get(host, path, { headers })).body).not.toContain('EVIL');
    const answer = await edge.get(host, path);
    expect([state(answer), answer.body.includes('EVIL')]).toEqual(['HIT', false]);
  });
});

describe('levels', () => {
  const setProduct = async (document: Omit<LevelDocument, 'level'>) => {
    const body = { level: 'product', target_id: product, ...document };
    const envelope = makeEnvelope('level', `product-${product}`, edge.nextRevision(), body);
    expect(await edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'applied' }]);
  };

  it('let a field through for sites that say nothing of it, until they take it back', async () => {
    const path = echo();
    const headers = { [field]: 'PATCH' };
    const sent = async (host: string) => heard(await edge.get(host, path, { headers }))[field];
    const [silent, other] = [await serve(), await serve([])];
    expect([await sent(silent), await sent(other)]).toEqual([undefined, undefined]);
    await setProduct({ real_ip: { pass_headers: [field] } });
    expect([await sent(silent), await sent(other)]).toEqual(['PATCH', undefined]);
    await setProduct({});
    expect(await sent(silent)).toBeUndefined();
  });
});
