import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authority } from '@breakwater/test-world/authority';
import { TlsWorld } from './tls-world.ts';

let world: TlsWorld;
let authority: Authority;

beforeAll(async () => {
  world = await TlsWorld.start();
  authority = await Authority.make('Test authority');
});

afterAll(async () => {
  await world.close();
  await authority.close();
});

describe('certificates', () => {
  it('are of both kinds for one name: each visitor gets the one it can check', async () => {
    const ec = await authority.issue(['both.test', '*.both.test']);
    const rsa = await authority.issue(['both.test', '*.both.test'], { key: 'rsa' });
    await world.serve('both.test', {}, ec, rsa);
    const only = (sigalgs: string) => world.handshake('a.both.test', { sigalgs });
    expect((await only('ECDSA+SHA256')).certificate.serialNumber).toBe(ec.serial);
    expect((await only('RSA-PSS+SHA256')).certificate.serialNumber).toBe(rsa.serial);
    const old = await world.handshake('both.test', {
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
    });
    expect(old.certificate.serialNumber).toBe(rsa.serial);
    expect(old.certificate.issuerCertificate.subject.CN).toBe('Test authority');
  });
});

describe('a hello whose key share the edge cannot use', () => {
  it('is asked for another (HelloRetryRequest), and shown the certificate of its name', async () => {
    const pair = await authority.issue(['retry.test']);
    await world.serve('retry.test', {}, pair);
    const options = { minVersion: 'TLSv1.3', ecdhCurve: 'X25519MLKEM768:P-256' } as const;
    const { certificate, socket } = await world.handshake('retry.test', options);
    expect(certificate.serialNumber).toBe(pair.serial);
    expect(socket.getEphemeralKeyInfo()).toMatchObject({ name: 'prime256v1' });
  });
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a session of another name, in %s', (version) => {
  it('is not gone on with, and the certificate is that of the name', async () => {
    const pairs = await Promise.all(['one.test', 'other.test'].map((name) => authority.issue([name])));
    await world.serve('one.test', {}, pairs[0]!);
    await world.serve('other.test', {}, pairs[1]!);
    const options = { minVersion: version, maxVersion: version };
    const { socket } = await world.handshake('one.test', options);
    const given = new Promise<Buffer>((settle) => socket.once('session', settle));
    socket.write('GET / HTTP/1.1\r\nHost: one.test\r\n\r\n');
    const session = version === 'TLSv1.2' ? socket.getSession()! : await given;
    expect((await world.handshake('one.test', { ...options, session })).socket.isSessionReused()).toBe(true);
    const offered = await world.handshake('other.test', { ...options, session });
    expect(offered.socket.isSessionReused()).toBe(false);
    expect(offered.certificate.serialNumber).toBe(pairs[1]!.serial);
  });
});

describe('forced HTTPS', () => {
  it.each([301, 302, 307, 308] as const)('redirects with %i and keeps the target', async (status) => {
    const domain = `force${status}.test`;
    await world.serve(domain, { force_https: { enabled: true, status } });
    const answer = await world.edge.get(domain, '/a%20b?x=1&y', {
      method: status < 303 ? 'GET' : 'POST',
      body: 'x',
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.location).toBe(`https://${domain}/a%20b?x=1&y`);
    expect((await world.ask(domain, '/x')).body.url).toBe('/x');
  });

  it.each([
    '//evil.example/',
    '/\\evil.example',
    '/%0d%0aSet-Cookie:%20x=1',
    '/%250d%250aX:%201',
    '/@evil.example',
  ])('leads to no other host and ends no line with %s', async (path) => {
    await world.serve('forcehostile.test', { force_https: { enabled: true } });
    const { status, headers } = await world.edge.get('forcehostile.test', path);
    expect([status, headers.location]).toEqual([301, `https://forcehostile.test${path}`]);
    expect(headers['set-cookie']).toBeUndefined();
    expect(new URL(headers.location!).host).toBe('forcehostile.test');
  });

  it('goes to the port that is set, whatever port the visitor wrote', async () => {
    await world.serve('forceport.test', { force_https: { enabled: true, port: 8443 } });
    const { headers } = await world.edge.get('forceport.test:8080', '/x');
    expect(headers.location).toBe('https://forceport.test:8443/x');
  });

  it('heeds the domains it is for, and those it is not for', async () => {
    await world.serve('part.test', {
      force_https: { enabled: true, only_domains: ['*.part.test'], except_domains: ['plain.part.test'] },
    });
    expect((await world.edge.get('www.part.test')).status).toBe(301);
    expect((await world.edge.get('plain.part.test')).status).toBe(200);
    expect((await world.edge.get('part.test')).status).toBe(200);
  });

  it('lets the challenges of ACME through to the origin, and nothing that looks like one', async () => {
    await world.serve('acme.test', { force_https: { enabled: true } });
    const folder = '/.well-known/acme-challenge/';
    const answer = await world.edge.get('acme.test', `${folder}token-1_A`);
    expect([answer.status, JSON.parse(answer.body).url]).toEqual([200, `${folder}token-1_A`]);
    for (const path of ['', '../../x', '%2e%2e/x', 'a/b'])
      expect((await world.edge.get('acme.test', folder + path)).status).toBe(301);
  });
});

describe('HSTS', () => {
  it('is sent over HTTPS only, once, in place of what the origin sends, also with pages and hits', async () => {
    const id = await world.serve('hsts.test', {
      hsts: { enabled: true, max_age_seconds: 31_536_000, include_subdomains: true, preload: true },
    });
    const field = 'max-age=31536000; includeSubDomains; preload';
    for (const path of ['/', '/kept', '/kept'])
      expect((await world.ask('hsts.test', path)).headers['strict-transport-security']).toBe(field);
    expect((await world.ask('hsts.test', '/kept')).headers['x-cache']).toBe('HIT');
    expect((await world.edge.get('hsts.test', '/kept')).headers['strict-transport-security']).toBeUndefined();
    expect(id).toBeGreaterThan(0);
  });

  it("leaves the origin's where the site has none", async () => {
    await world.serve('nohsts.test', {});
    expect((await world.ask('nohsts.test', '/')).headers['strict-transport-security']).toBe('max-age=1');
  });
});

describe('versions and ciphers', () => {
  const anything = { minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const;

  it('are TLS 1.2 and 1.3 where the site asks nothing', async () => {
    await world.serve('plain.test', {});
    expect((await world.handshake('plain.test')).protocol).toBe('TLSv1.3');
    expect((await world.handshake('plain.test', { maxVersion: 'TLSv1.2' })).protocol).toBe('TLSv1.2');
    await expect(world.handshake('plain.test', { ...anything, maxVersion: 'TLSv1.1' })).rejects.toThrow(
      /protocol version/,
    );
    await expect(
      world.handshake('plain.test', { ...anything, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' }),
    ).rejects.toThrow(/handshake failure/);
  });

  it('are bounded from below and from above by site', async () => {
    await world.serve('new.test', { min_version: 'TLSv1.3' });
    await world.serve('top.test', { max_version: 'TLSv1.2' });
    expect((await world.handshake('new.test')).protocol).toBe('TLSv1.3');
    await expect(world.handshake('new.test', { maxVersion: 'TLSv1.2' })).rejects.toThrow(/protocol version/);
    expect((await world.handshake('top.test')).protocol).toBe('TLSv1.2');
  });

  it('reach back to TLS 1.0 with the old ciphers', async () => {
    const rsa = await authority.issue(['old.test'], { key: 'rsa' });
    await world.serve('old.test', { min_version: 'TLSv1', cipher_level: 'old' }, rsa);
    for (const version of ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const)
      expect((await world.handshake('old.test', { ...anything, maxVersion: version })).protocol).toBe(
        version,
      );
    const weak = await world.handshake('old.test', {
      ...anything,
      maxVersion: 'TLSv1.2',
      ciphers: 'AES128-SHA',
    });
    expect(weak.cipher).toBe('AES128-SHA');
  });

  it('are forward secret and authenticated only, by the modern level', async () => {
    await world.serve('modern.test', { cipher_level: 'modern' });
    await world.serve('compatible.test', {});
    const twelve = { ...anything, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
    const cbc = { ...twelve, ciphers: 'ECDHE-ECDSA-AES128-SHA' };
    expect((await world.handshake('compatible.test', cbc)).cipher).toBe('ECDHE-ECDSA-AES128-SHA');
    await expect(world.handshake('modern.test', cbc)).rejects.toThrow(/handshake failure/);
    expect((await world.handshake('modern.test', twelve)).cipher).toMatch(/GCM|CHACHA20/);
  });

  it('hold for requests too: a handshake for another site is no way around them', async () => {
    await world.serve('strict.test', { min_version: 'TLSv1.3' });
    await world.serve('lax.test', {});
    expect((await world.ask('strict.test', '/')).status).toBe(200);
    const around = await world.ask('strict.test', '/', { servername: 'lax.test', maxVersion: 'TLSv1.2' });
    expect([around.status, around.text]).toEqual([
      421,
      expect.stringContaining('was opened for a different domain'),
    ]);
    expect((await world.ask('lax.test', '/', { servername: 'strict.test' })).status).toBe(200);
  });
});

describe('HTTP/2', () => {
  it('is chosen by whoever offers it', async () => {
    await world.serve('alpn.test', {});
    const { socket } = await world.handshake('alpn.test', { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(socket.alpnProtocol).toBe('h2');
    const older = await world.handshake('alpn.test', { ALPNProtocols: ['http/1.1'] });
    expect(older.socket.alpnProtocol).toBe('http/1.1');
  });
});
