import { errors } from '@breakwater/contract';
import {
  makeCustomer,
  makeMember,
  makeSite,
  startWorld,
  unique,
  waitFor,
  type ApiClient,
  type Customer,
  type World,
} from '@breakwater/test-world';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** Many certificates at once: what files come to, what would happen is told first, and then happens so. */

let world: World;
let authority: Authority;
let customer: Customer;
let other: Customer;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), worker: true });
  authority = await Authority.make('Authority of many');
  [customer, other] = [await makeCustomer(world), await makeCustomer(world)];
});
afterAll(async () => {
  await world?.close();
  await authority?.close();
});

const pem = (name: string, text: string) => ({ name, pem: text });
/** As people have them: the certificate in one file, its key in another. */
const filesOf = (name: string, { certificate, key }: IssuedPair) => [
  pem(`${name}.crt`, certificate.split(/(?<=-----END CERTIFICATE-----\n)/)[0]!),
  pem(`${name}.key`, key),
];
const chain = () => pem('chain.pem', authority.certificate);
type Files = ReturnType<typeof pem>[];
const preview = (api: ApiClient, files: Files, more: object = {}) =>
  api.get('previewCertificates', { body: { files, ...more } });
type Found = Awaited<ReturnType<typeof preview>>['certificates'];

/** Everything as it was shown, or what the caller makes of it. */
const chosen = (found: Found, sites = true) =>
  found.map(({ fingerprint, name, replaces, sites: of }) => ({
    fingerprint,
    name,
    replaces: replaces?.id ?? null,
    site_ids: sites ? of.map(({ id }) => id) : [],
  }));
const settingsOf = async (id: number) =>
  (await world.admin.get('getCertificateSettings', { query: { site_id: id } })).value;
const batchDone = (api: ApiClient, id: number) =>
  waitFor('the batch', async () => {
    const found = await api.get('getSiteBatch', { params: { id } });
    return found.status === 'done' && found;
  });

function pfxOf({ certificate, key }: IssuedPair, password: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-pfx-'));
  writeFileSync(join(folder, 'pair.pem'), certificate + key);
  const args = ['pkcs12', '-export', '-in', 'pair.pem', '-out', 'pair.pfx', '-passout', `pass:${password}`];
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const content = readFileSync(join(folder, 'pair.pfx')).toString('base64');
  rmSync(folder, { recursive: true });
  return content;
}

describe('files of many certificates', () => {
  it('are paired by their keys, whatever they are called and in any order, and what is of no use is named', async () => {
    const names = [`${unique('one')}.example.com`, `${unique('two')}.example.com`];
    const [one, two] = [
      await authority.issue([names[0]!]),
      await authority.issue([names[1]!], { key: 'rsa' }),
    ];
    const lost = await authority.issue(['lost.example.com']);
    const files = [
      pem('same name', two.key),
      chain(),
      ...filesOf('same name', one),
      pem('two.crt', two.certificate),
      pem('keyless.crt', lost.certificate),
      pem('lonely.key', (await authority.issue(['x.example.com'])).key),
      pem('notes.txt', 'nothing of the kind'),
      pem('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'),
    ];
    const { certificates, problems } = await preview(customer.api, files);
    expect(
      certificates.map(({ domains, key_type, known, replaces }) => [domains, key_type, known, replaces]),
    ).toEqual([
      [[names[1]], 'rsa', null, null],
      [[names[0]], 'ecdsa', null, null],
    ]);
    expect(certificates[0]!.files.toSorted()).toEqual(['same name', 'two.crt']);
    expect(problems.map(({ files: of, reason }) => `${of.join()}: ${reason}`).toSorted()).toEqual([
      'broken.pem: This certificate could not be parsed. Paste it in PEM format',
      'keyless.crt: The chosen files do not contain the private key of this certificate',
      'lonely.key: The chosen files do not contain a certificate for this private key',
      'notes.txt: This file contains neither a certificate nor a private key',
    ]);
    expect((await customer.api.get('listCertificates', { query: { domain: names[0] } })).total).toBe(0);
  });

  it('of which none is of use are named, and nothing else comes of them', async () => {
    const files = [pem('empty', '-')];
    expect(await preview(customer.api, files)).toMatchObject({
      certificates: [],
      problems: [{ files: ['empty'] }],
    });
    const certificates = [{ fingerprint: 'AA', name: 'x', replaces: null, site_ids: [] }];
    expect(await customer.api.call('uploadCertificates', { body: { files, certificates } })).toMatchObject({
      status: 400,
    });
  });

  it('are passed over from where there are too many, and what begins without an end is nothing', async () => {
    const domain = `${unique('first')}.example.com`;
    const { certificate, key } = await authority.issue([domain]);
    const halves = '-----BEGIN CERTIFICATE-----\nAAAA\n'.repeat(1000);
    const crowd = pem('crowd.pem', authority.certificate.repeat(150));
    const files = [
      pem('halves.pem', '-----BEGIN PRIVATE KEY-----\n'.repeat(2000)),
      pem('pair.pem', certificate + key),
      crowd,
      crowd,
      crowd,
      pem('last.pem', authority.certificate.repeat(60) + halves),
    ];
    const { certificates, problems } = await preview(customer.api, files);
    expect(certificates.map(({ domains }) => domains)).toEqual([[domain]]);
    expect(problems).toEqual([
      { files: ['halves.pem'], reason: expect.stringContaining('neither') },
      { files: ['last.pem'], reason: expect.stringContaining('Up to 100') },
    ]);
  });

  it('may be PKCS#12 files with one password, and one with another is named', async () => {
    const domain = `${unique('pfx')}.example.com`;
    const [right, wrong] = [await authority.issue([domain]), await authority.issue([domain])];
    const files = [
      { name: 'right.pfx', pfx: pfxOf(right, 'one') },
      { name: 'wrong.pfx', pfx: pfxOf(wrong, 'two') },
    ];
    const { certificates, problems } = await customer.api.get('previewCertificates', {
      body: { files, pfx_password: 'one' },
    });
    expect(certificates.map(({ domains }) => domains)).toEqual([[domain]]);
    expect(problems).toEqual([
      { files: ['wrong.pfx'], reason: 'The password of this PFX file is incorrect' },
    ]);
    const many = Array.from({ length: 21 }, () => files[0]!);
    expect(await customer.api.call('previewCertificates', { body: { files: many } })).toMatchObject({
      status: 400,
      errors: [{ path: 'files.20.pfx' }],
    });
  });
});

describe('what was shown', () => {
  it('is done: new ones are there in their group, and each site uses the one that covers its names', async () => {
    const base = unique('many');
    const sites = [];
    for (const name of ['a', 'b', 'c'])
      sites.push(
        await makeSite(customer.api, { orderId: customer.orderId, domain: `${name}.${base}.example.com` }),
      );
    const [a, b, c] = sites as [(typeof sites)[0], (typeof sites)[0], (typeof sites)[0]];
    const files = [
      ...filesOf('a', await authority.issue([a.domain])),
      ...filesOf('wild', await authority.issue([`*.${base}.example.com`])),
    ];
    const { certificates } = await preview(customer.api, files);
    const [own, wild] = certificates as [Found[0], Found[0]];
    expect(own.sites).toEqual([
      { id: a.id, domain: a.domain, covered: [a.domain], use: 'added', present: [] },
    ]);
    expect(wild.sites.map(({ id, use }) => [id, use])).toEqual(sites.map(({ id }) => [id, 'added']));
    const picked = chosen(certificates);
    // The site that has a certificate of its own gets that one alone.
    picked[1]!.site_ids = [b.id, c.id];
    const done = await customer.api.get('uploadCertificates', {
      body: { files, certificates: picked, group_name: 'Shops' },
    });
    expect(done).toMatchObject({ created: 2, replaced: 0 });
    expect(await batchDone(customer.api, done.batch_id!)).toMatchObject({
      kind: 'certificates',
      done: 3,
      failed: 0,
    });
    const { list } = await customer.api.get('listCertificates', { query: { group_name: 'Shops' } });
    const idOf = (domain: string) => list.find(({ domains }) => domains[0] === domain)!.id;
    expect((await settingsOf(a.id)).certificate_ids).toEqual([idOf(a.domain)]);
    for (const { id } of [b, c])
      expect((await settingsOf(id)).certificate_ids).toEqual([idOf(`*.${base}.example.com`)]);
  });

  it('replaces the certificate with the same names and kind of key in its place, so that its sites follow', async () => {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const before = filesOf('before', await authority.issue([site.domain]));
    const first = await preview(customer.api, before);
    const done = await customer.api.get('uploadCertificates', {
      body: { files: before, certificates: chosen(first.certificates) },
    });
    await batchDone(customer.api, done.batch_id!);
    const [id] = (await settingsOf(site.id)).certificate_ids as [number];
    const after = [
      ...filesOf('after', await authority.issue([site.domain])),
      ...filesOf('rsa', await authority.issue([site.domain], { key: 'rsa' })),
    ];
    const { certificates } = await preview(customer.api, [...before, ...after]);
    const uses = certificates.map(({ known, replaces, sites, key_type }) => [
      key_type,
      known?.id ?? null,
      replaces?.id ?? null,
      sites.map(({ use }) => use).join(),
    ]);
    expect(uses).toEqual([
      ['ecdsa', id, null, 'follows'],
      ['ecdsa', null, id, 'follows'],
      // Visitors with the other kind of key have none yet.
      ['rsa', null, null, 'added'],
    ]);
    const [, next] = certificates as [Found[0], Found[0], Found[0]];
    const replaced = await customer.api.get('uploadCertificates', {
      body: { files: after, certificates: chosen([next]) },
    });
    expect(replaced).toEqual({ created: 0, replaced: 1, batch_id: null });
    const found = await customer.api.get('getCertificate', { params: { id } });
    expect(found.fingerprint).toBe(next.fingerprint);
    expect((await settingsOf(site.id)).certificate_ids).toEqual([id]);
  });

  it('takes the place of what it does without at a site, and is told when that lasts longer', async () => {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const upload = async (files: Files) => {
      const { certificates } = await preview(customer.api, files);
      const { batch_id: batch } = await customer.api.get('uploadCertificates', {
        body: { files, certificates: chosen(certificates) },
      });
      await batchDone(customer.api, batch!);
      return certificates[0]!;
    };
    await upload(filesOf('own', await authority.issue([site.domain])));
    const [own] = (await settingsOf(site.id)).certificate_ids;
    const wide = filesOf('wide', await authority.issue([site.domain, `more.${site.domain}`]));
    const shown = await upload(wide);
    expect(shown.sites[0]).toMatchObject({ use: 'replaces', present: [{ id: own }] });
    const { certificate_ids: ids } = await settingsOf(site.id);
    expect(ids).toHaveLength(1);
    expect(ids).not.toEqual([own]);
    expect((await customer.api.get('getCertificate', { params: { id: own! } })).site_count).toBe(0);
  });

  it('and nothing else: what is there by now otherwise stops it, and nothing is stored', async () => {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    // Ends no later, since it is issued before.
    const same = filesOf('same', await authority.issue([site.domain]));
    const files = filesOf('late', await authority.issue([site.domain]));
    const { certificates } = await preview(customer.api, files);
    const [one] = chosen(certificates);
    const foreign = await makeSite(other.api, { orderId: other.orderId });
    const upload = (change: object) =>
      customer.api.call('uploadCertificates', { body: { files, certificates: [{ ...one!, ...change }] } });
    expect(await upload({ site_ids: [foreign.id] })).toMatchObject({ status: 409 });
    expect(await upload({ replaces: 999_999 })).toMatchObject({ status: 409 });
    expect(await upload({ fingerprint: 'AA' })).toMatchObject({
      status: 400,
      errors: [{ path: 'certificates.0.fingerprint' }],
    });
    const { certificates: again } = await preview(customer.api, same);
    await customer.api.get('uploadCertificates', {
      body: { files: same, certificates: chosen(again, false) },
    });
    expect(await upload({})).toMatchObject({ status: 409 });
    const { total } = await customer.api.get('listCertificates', { query: { domain: site.domain } });
    expect(total).toBe(1);
  });

  it('goes once, where two send it at the same time', async () => {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const former = await authority.issue([site.domain]);
    await customer.api.get('createCertificate', {
      body: { name: 'Former', certificate: former.certificate, private_key: former.key },
    });
    const files = filesOf('twice', await authority.issue([site.domain]));
    const { certificates } = await preview(customer.api, files);
    const body = { files, certificates: chosen(certificates, false) };
    const answers = await Promise.all([
      customer.api.call('uploadCertificates', { body }),
      customer.api.call('uploadCertificates', { body }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await customer.api.get('listCertificates', { query: { domain: site.domain } })).total).toBe(1);
  });
});

describe('who may', () => {
  it('is nobody without a session, and no member who may not write certificates', async () => {
    const files = filesOf('who', await authority.issue(['who.example.com']));
    const body = { files, certificates: [{ fingerprint: 'AA', name: 'x', replaces: null, site_ids: [] }] };
    const reader = await makeMember(world, customer.api, ['certificate.read']);
    for (const [api, status] of [
      [world.anonymous, 401],
      [reader.api, 403],
    ] as const) {
      expect((await api.call('previewCertificates', { body: { files } })).status).toBe(status);
      expect((await api.call('uploadCertificates', { body })).status).toBe(status);
    }
  });

  it('binds sites only who may change them', async () => {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const files = filesOf('bind', await authority.issue([site.domain]));
    const member = await makeMember(world, customer.api, ['certificate.read', 'certificate.write']);
    const { certificates } = await preview(member.api, files);
    const body = { files, certificates: chosen(certificates) };
    expect((await member.api.call('uploadCertificates', { body })).status).toBe(403);
    const none = { files, certificates: chosen(certificates, false) };
    expect(await member.api.get('uploadCertificates', { body: none })).toMatchObject({
      created: 1,
      batch_id: null,
    });
  });

  it('sees neither certificates nor sites of another customer', async () => {
    const site = await makeSite(other.api, { orderId: other.orderId });
    const pair = await authority.issue([site.domain]);
    await other.api.get('createCertificate', {
      body: { name: 'Theirs', certificate: pair.certificate, private_key: pair.key },
    });
    const files = filesOf('theirs', pair);
    const { certificates } = await preview(customer.api, files);
    expect(certificates[0]).toMatchObject({ known: null, replaces: null, sites: [] });
    const ofAdmin = await preview(world.admin, files, { client_id: other.id });
    expect(ofAdmin.certificates[0]).toMatchObject({ known: { name: 'Theirs' }, sites: [{ id: site.id }] });
    expect((await preview(world.admin, files)).certificates[0]).toMatchObject({ known: null, sites: [] });
    expect(
      await customer.api.call('previewCertificates', { body: { files, client_id: other.id } }),
    ).toMatchObject({
      status: 400,
      errors: [{ path: 'client_id' }],
    });
  });
});

describe('groups', () => {
  it('are there as long as certificates are in them, each to its owner', async () => {
    const [mine, theirs] = [unique('group'), unique('group')];
    const make = async (api: ApiClient, group_name: string) => {
      const { certificate, key } = await authority.issue([`${unique('grouped')}.example.com`]);
      const body = { name: unique('grouped'), certificate, private_key: key, group_name };
      return (await api.get('createCertificate', { body })).id;
    };
    const id = await make(customer.api, mine);
    const foreign = await make(other.api, theirs);
    const groups = async (api: ApiClient) =>
      (await api.get('listCertificateGroups', { query: { page_size: 200 } })).list.map(({ name }) => name);
    expect(await groups(customer.api)).toContain(mine);
    expect(await groups(customer.api)).not.toContain(theirs);
    expect(await groups(world.admin)).toEqual(expect.arrayContaining([mine, theirs]));
    expect(
      await world.admin.get('listCertificateGroups', { query: { name: mine.slice(1).toUpperCase() } }),
    ).toMatchObject({ list: [{ name: mine, certificates: 1 }], total: 1 });
    const next = unique('group');
    const move = (certificate_ids: number[], group_name: string) =>
      customer.api.call('groupCertificates', { body: { certificates: { certificate_ids }, group_name } });
    const before = [{ group_name: mine, certificate_ids: [id] }];
    expect(await move([id], next)).toMatchObject({ status: 200, data: { changed: 1, before } });
    // Taken back, unless it was moved on since.
    const back = (from: string) =>
      customer.api.call('groupCertificates', {
        body: { certificates: { certificate_ids: [id] }, group_name: mine, from },
      });
    expect(await back('elsewhere')).toMatchObject({ status: 409, code: errors.stale_version.code });
    expect(await back(next)).toMatchObject({ status: 200, data: { changed: 1 } });
    expect(await move([id], next)).toMatchObject({ status: 200, data: { changed: 1, before } });
    expect(await move([id], next)).toMatchObject({ status: 200, data: { changed: 0, before: [] } });
    expect(await move([foreign], next)).toMatchObject({ status: 400 });
    expect(await groups(customer.api)).not.toContain(mine);
    const found = (await customer.api.get('listCertificates', { query: { group_name: next } })).list;
    expect(found.map((one) => one.id)).toEqual([id]);
    const { version, name } = found[0]!;
    await customer.api.get('updateCertificate', { params: { id }, body: { name, version } });
    expect((await customer.api.get('getCertificate', { params: { id } })).group_name).toBe(next);
    await move([id], '');
    expect(await groups(customer.api)).not.toContain(next);
  });
});
