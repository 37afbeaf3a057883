import type { DocumentEnvelope, DocumentResult } from '@breakwater/contract/edge-document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeEnvelope, makeSite, startOrigin, TestEdge, type SiteInput, type TestOrigin } from './support.ts';

/** Challenges of certificate authorities, answered by the edge for certificates that are obtained. */

let edge: TestEdge;
let origin: TestOrigin;
let nextId = 1;
beforeAll(async () => {
  edge = await TestEdge.start();
  origin = await startOrigin((_request, response) => response.end('of the origin'));
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function siteWith(more: Partial<SiteInput> = {}): Promise<string> {
  const id = nextId++;
  const host = more.domains?.[0] ?? `acme${id}.test`;
  const origins = [{ address: '127.0.0.1', http_port: origin.port }];
  const [result] = await edge.applySites(makeSite({ id, domains: [host], origins, ...more }));
  expect(result!.error).toBeUndefined();
  return host;
}

const apply = (envelope: DocumentEnvelope) =>
  edge.control<DocumentResult[]>('POST', '/documents', [envelope]);

const token = (word: string) => `${word}-0123456789_abcdef`;
const pathOf = (word: string) => `/.well-known/acme-challenge/${token(word)}`;
let orders = 1;
async function answer(host: string, word: string, key = orders++): Promise<number> {
  const answers = { [host]: { [token(word)]: `${token(word)}.thumb` } };
  const [result] = await apply(
    makeEnvelope('acme_challenge', `${key}`, edge.nextRevision(), { order_id: key, answers }),
  );
  expect(result).toMatchObject({ status: 'applied' });
  return key;
}

describe('an answer', () => {
  it('is given for its host alone, and another token goes to the origin', async () => {
    const [host, other] = [await siteWith(), await siteWith()];
    await answer(host, 'one');
    const told = await edge.get(host, pathOf('one'));
    expect(told).toMatchObject({ status: 200, body: `${token('one')}.thumb` });
    expect(told.headers['cache-control']).toBe('no-store');
    for (const [where, word] of [
      [other, 'one'],
      [host, 'two'],
    ] as const)
      expect((await edge.get(where, pathOf(word))).body).toBe('of the origin');
    expect((await edge.get('nobody.test', pathOf('one'))).status).toBe(421);
    expect((await edge.get(host, `${pathOf('one')}/x`)).body).toBe('of the origin');
  });

  const toHttps = { enabled: true, status: 301 as const, port: 443, only_domains: [], except_domains: [] };
  const ann = { name: 'ann', password: 'a long password' };
  const closed: [string, Partial<SiteInput>][] = [
    ['redirected to HTTPS', { tls: { force_https: toHttps } }],
    ['offline', { status: 'offline' }],
    ['not verified yet', { status: 'checking' }],
    ['closed by a rule', { access: { otherwise: 'deny' } }],
    ['behind a redirect', { rewrite: { redirects: [{ type: 'prefix', from: '/', to: 'https://x.test/' }] } }],
    ['behind a password', { access: { basic_auth: { enabled: true, realm: 'in', users: [ann] } } }],
  ];
  it.each(closed)('is given at a site that is %s', async (_, more) => {
    const host = await siteWith(more);
    await answer(host, 'closed');
    expect(await edge.get(host, pathOf('closed'))).toMatchObject({
      status: 200,
      body: `${token('closed')}.thumb`,
    });
  });

  it('is given for a name below a wildcard', async () => {
    await siteWith({ domains: ['*.wild.test'] });
    await answer('deep.wild.test', 'wild');
    expect((await edge.get('deep.wild.test', pathOf('wild'))).body).toBe(`${token('wild')}.thumb`);
    expect((await edge.get('other.wild.test', pathOf('wild'))).body).toBe('of the origin');
  });

  it('goes with its document, and with one that takes its place', async () => {
    const host = await siteWith();
    const key = await answer(host, 'first');
    await answer(host, 'second', key);
    expect((await edge.get(host, pathOf('first'))).body).toBe('of the origin');
    expect((await edge.get(host, pathOf('second'))).body).toBe(`${token('second')}.thumb`);
    const tombstone = { kind: 'acme_challenge' as const, key: `${key}`, revision: edge.nextRevision() };
    await apply({ ...tombstone, deleted: true });
    expect((await edge.get(host, pathOf('second'))).body).toBe('of the origin');
  });

  it('is refused that says nothing', async () => {
    const bad = makeEnvelope('acme_challenge', '999', edge.nextRevision(), {
      order_id: 999,
      answers: { a: 1 },
    });
    expect(await apply(bad)).toMatchObject([{ status: 'refused' }]);
  });
});
