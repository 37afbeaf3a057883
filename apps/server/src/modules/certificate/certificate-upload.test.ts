import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCustomer, startWorld, unique, type Customer, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** What may be uploaded as a certificate, and what is made of it. */

let world: World;
let customer: Customer;
const folder = mkdtempSync(join(tmpdir(), 'breakwater-pki-'));

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const file = (name: string) => readFileSync(join(folder, name), 'utf8');

const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
interface Issued {
  key?: readonly string[];
  extensions?: readonly string[];
  days?: number;
  digest?: string;
}

/** `NAME.crt` and `NAME.key`, signed by `ISSUER`. */
function issue(name: string, issuer: string, { key = ec, extensions = [], days = 90, digest }: Issued = {}) {
  openssl(
    'req',
    '-new',
    ...key,
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  writeFileSync(join(folder, `${name}.ext`), extensions.join('\n'));
  const signed = ['x509', '-req', '-in', `${name}.csr`, '-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`];
  const more = ['-CAcreateserial', '-days', String(days), '-extfile', `${name}.ext`];
  openssl(...signed, ...more, ...(digest ? [`-${digest}`] : []), '-out', `${name}.crt`);
}
const authority = ['basicConstraints=critical,CA:TRUE'];
const names = (...domains: string[]) => [`subjectAltName=${domains.map((name) => `DNS:${name}`).join(',')}`];

function selfSigned(name: string, ...args: string[]) {
  const subject = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`];
  openssl(
    'req',
    '-x509',
    ...(args.includes('-newkey') ? [] : ec),
    '-nodes',
    '-days',
    '90',
    ...subject,
    ...args,
  );
}

beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  customer = await makeCustomer(world);
  selfSigned('Root', '-addext', authority[0]!);
  issue('Between', 'Root', { extensions: authority });
  issue('leaf.example.com', 'Between', { extensions: names('leaf.example.com') });
  issue('other.example.com', 'Between', { extensions: names('other.example.com') });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const upload = (body: object) =>
  customer.api.send('POST', '/prod-api/certificate', { name: unique('cert'), ...body });
async function uploaded(body: object) {
  const answer = await upload(body);
  expect(answer).toMatchObject({ status: 200 });
  const { id, warnings } = answer.data as { id: number; warnings: string[] };
  return { warnings, detail: await customer.api.get('getCertificate', { params: { id } }) };
}
const refusal = async (body: object) => {
  const { status, errors } = await upload(body);
  return { status, path: errors[0]?.path, message: errors[0]?.message };
};

describe('a chain', () => {
  it('is put in order, whatever stands around its parts and in which field', async () => {
    const pieces = [
      'Bag Attributes: localKeyID\n',
      file('Root.crt'),
      file('other.example.com.crt'),
      '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n',
      file('leaf.example.com.key'),
      file('Between.crt'),
      file('Between.crt'),
    ];
    const { detail, warnings } = await uploaded({
      certificate: pieces.join('\n'),
      private_key: file('leaf.example.com.crt').replaceAll(' CERTIFICATE', ' X509 CERTIFICATE'),
    });
    expect(detail.domains).toEqual(['leaf.example.com']);
    expect(detail.chain.map(({ subject, key_type, key_bits }) => [subject, key_type, key_bits])).toEqual([
      ['CN=leaf.example.com', 'ecdsa', 256],
      ['CN=Between', 'ecdsa', 256],
    ]);
    expect(warnings).toEqual(detail.warnings);
    const { text, name } = await customer.api.download('downloadCertificate', { params: { id: detail.id } });
    expect(name).toBe(`certificate-${detail.id}.pem`);
    expect(text.replaceAll('\n', '')).toBe(
      (file('leaf.example.com.crt') + file('Between.crt')).replaceAll('\n', ''),
    );
  });

  it('that browsers cannot follow is taken, and said to be so', async () => {
    const { warnings } = await uploaded({
      certificate: file('leaf.example.com.crt'),
      private_key: file('leaf.example.com.key'),
    });
    expect(warnings).toEqual([expect.stringContaining('The chain is incomplete')]);
    selfSigned('self.example.com', '-addext', names('self.example.com')[0]!);
    const own = await uploaded({
      certificate: file('self.example.com.crt'),
      private_key: file('self.example.com.key'),
    });
    expect(own.warnings).toEqual([expect.stringContaining('Self-signed')]);
    selfSigned('old.example.com', '-days', '500');
    const old = await uploaded({
      certificate: file('old.example.com.crt'),
      private_key: file('old.example.com.key'),
    });
    expect(old.warnings).toHaveLength(3);
    const zh = await customer.api.send('GET', `/prod-api/certificate/${own.detail.id}`, undefined, {
      'accept-language': 'zh-CN',
    });
    expect((zh.data as { warnings: string[] }).warnings[0]).toContain('自签名');
  });

  it('keeps the root where that has signed the certificate itself', async () => {
    issue('near.example.com', 'Root', { extensions: names('near.example.com') });
    const { detail } = await uploaded({
      certificate: file('Root.crt') + file('near.example.com.crt'),
      private_key: file('near.example.com.key'),
    });
    expect(detail.chain.map(({ subject }) => subject)).toEqual(['CN=near.example.com', 'CN=Root']);
  });
});

describe('what no visitor could be served with is refused in words', () => {
  const pair = (name: string) => ({ certificate: file(`${name}.crt`), private_key: file(`${name}.key`) });

  it.each<[string, () => void, RegExp]>([
    ['short.example.com', () => selfSigned('short.example.com', '-newkey', 'rsa:1024'), /2048 bits/],
    ['edwards.example.com', () => selfSigned('edwards.example.com', '-newkey', 'ed25519'), /RSA or ECDSA/],
    ['sha1.example.com', () => selfSigned('sha1.example.com', '-sha1'), /SHA-1/],
    [
      'purpose.example.com',
      () => selfSigned('purpose.example.com', '-addext', 'extendedKeyUsage=clientAuth'),
      /server authentication/,
    ],
    ['over.example.com', () => issue('over.example.com', 'Between', { days: 0 }), /expired/],
  ])('%s', async (name, make, said) => {
    make();
    expect(await refusal(pair(name))).toEqual({
      status: 400,
      path: 'certificate',
      message: expect.stringMatching(said),
    });
  });

  it('a weak signature further up the chain', async () => {
    issue('Weak', 'Root', { extensions: authority, digest: 'sha1' });
    issue('below.example.com', 'Weak', { extensions: names('below.example.com') });
    const { certificate, private_key } = pair('below.example.com');
    expect(await refusal({ certificate: certificate + file('Weak.crt'), private_key })).toMatchObject({
      path: 'certificate',
      message: expect.stringContaining('SHA-1'),
    });
  });

  it('a key with a passphrase, with what to do', async () => {
    openssl('pkey', '-in', 'leaf.example.com.key', '-aes256', '-passout', 'pass:x', '-out', 'locked.key');
    expect(
      await refusal({ certificate: file('leaf.example.com.crt'), private_key: file('locked.key') }),
    ).toMatchObject({ path: 'private_key', message: expect.stringContaining('openssl pkey') });
  });

  it('nothing at all', async () => {
    expect(await refusal({ certificate: '', private_key: file('leaf.example.com.key') })).toMatchObject({
      path: 'certificate',
    });
    expect(await refusal({ certificate: file('leaf.example.com.crt') })).toMatchObject({
      path: 'private_key',
    });
  });
});

describe('a PFX file', () => {
  const base64 = (name: string) => readFileSync(join(folder, name)).toString('base64');
  const pack = (name: string, ...args: string[]) =>
    openssl(
      'pkcs12',
      '-export',
      '-inkey',
      `${name}.key`,
      '-in',
      `${name}.crt`,
      '-certfile',
      'Between.crt',
      '-passout',
      'pass:密码 one',
      '-out',
      `${name}.pfx`,
      ...args,
    );

  it.each([
    ['of today', [], ec],
    ['of yesterday', ['-legacy'], ec],
    ['with a key of RSA', [], ['-newkey', 'rsa:2048']],
    ['of yesterday with a key of RSA', ['-legacy'], ['-newkey', 'rsa:2048']],
  ] as const)('%s is read', async (_, args, key) => {
    const name = `${unique('pfx')}.example.com`;
    issue(name, 'Between', { key, extensions: names(name) });
    pack(name, ...args);
    const { detail } = await uploaded({ pfx: base64(`${name}.pfx`), pfx_password: '密码 one' });
    expect(detail.chain.map(({ subject }) => subject)).toEqual([`CN=${name}`, 'CN=Between']);
  });

  it('is refused with a wrong password, when it is none, and with what is wrong in it', async () => {
    pack('leaf.example.com');
    const pfx = base64('leaf.example.com.pfx');
    expect(await refusal({ pfx, pfx_password: 'two' })).toMatchObject({ status: 400, path: 'pfx_password' });
    expect(await refusal({ pfx })).toMatchObject({ status: 400, path: 'pfx_password' });
    const none = Buffer.from('no file of this kind').toString('base64');
    expect(await refusal({ pfx: none, pfx_password: 'x' })).toMatchObject({ status: 400, path: 'pfx' });
    expect(await refusal({ pfx: '!', pfx_password: 'x' })).toMatchObject({ status: 400, path: 'pfx' });
    selfSigned('tiny.example.com', '-newkey', 'rsa:1024');
    pack('tiny.example.com');
    const tiny = { pfx: base64('tiny.example.com.pfx'), pfx_password: '密码 one' };
    expect(await refusal(tiny)).toMatchObject({ path: 'pfx', message: expect.stringContaining('2048') });
  });

  it('replaces a certificate, too', async () => {
    const { detail } = await uploaded({
      certificate: file('leaf.example.com.crt'),
      private_key: file('leaf.example.com.key'),
    });
    pack('leaf.example.com');
    const answer = await customer.api.call('updateCertificate', {
      params: { id: detail.id },
      body: {
        version: 1,
        name: detail.name,
        pfx: base64('leaf.example.com.pfx'),
        pfx_password: '密码 one',
      },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect((await customer.api.get('getCertificate', { params: { id: detail.id } })).chain).toHaveLength(2);
  });
});
