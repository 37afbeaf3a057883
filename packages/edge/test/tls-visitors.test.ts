import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authority, type IssuedPair } from '@breakwater/test-world/authority';
import { connect as connectHttp2 } from 'node:http2';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { makeSite } from './support.ts';
import { certificateOf, TlsWorld, toldSettings, type Settings } from './tls-world.ts';

let world: TlsWorld;
let authority: Authority;
let stranger: Authority;
let visitor: IssuedPair;
let impostor: IssuedPair;

beforeAll(async () => {
  world = await TlsWorld.start();
  authority = await Authority.make('Test authority');
  stranger = await Authority.make('Stranger');
  visitor = await authority.issue(['visitor.test']);
  impostor = await stranger.issue(['visitor.test']);
});

afterAll(async () => {
  await world.close();
  await authority.close();
  await stranger.close();
});

describe("visitors' certificates", () => {
  const required = (by: Authority, more: object = {}): Settings => ({
    client_certificate: { mode: 'require', ca: by.certificate, ...more },
  });

  it('are required, and of the right authority', async () => {
    await world.serve('vip.test', required(authority));
    expect((await world.ask('vip.test', '/', certificateOf(visitor))).status).toBe(200);
    for (const options of [{}, certificateOf(impostor)]) {
      const answer = await world.ask('vip.test', '/kept', options);
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining('valid client certificate is required'),
      ]);
    }
  });

  it('are required of hits, of plain HTTP and of HTTP/2 as well', async () => {
    await world.serve('closed.test', required(authority));
    await world.ask('closed.test', '/kept', certificateOf(visitor));
    expect((await world.ask('closed.test', '/kept', certificateOf(visitor))).headers['x-cache']).toBe('HIT');
    expect((await world.ask('closed.test', '/kept')).status).toBe(403);
    expect((await world.edge.get('closed.test', '/kept')).status).toBe(403);
    expect((await world.edge.get('closed.test', '/.well-known/acme-challenge/x')).status).toBe(200);
    expect(await askHttp2('closed.test', {})).toBe(403);
    expect(await askHttp2('closed.test', certificateOf(visitor))).toBe(200);
  });

  it('are not got around by the name of another site, with or without a certificate that is good there', async () => {
    await world.serve('open.test', {});
    await world.serve('theirs.test', required(stranger));
    await world.serve('ours.test', required(authority));
    for (const [servername, pair] of [
      ['open.test', visitor],
      ['theirs.test', impostor],
      ['theirs.test', visitor],
    ] as const)
      expect((await world.ask('ours.test', '/', { servername, ...certificateOf(pair) })).status).toBe(421);
    expect((await world.ask('ours.test', '/', { servername: '', ...certificateOf(visitor) })).status).toBe(
      421,
    );
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'are not got around by a session that was begun at another site (%s)',
    async (version) => {
      const [mine, other] = [`mine${version}.test`.toLowerCase(), `other${version}.test`.toLowerCase()];
      await world.serve(other, required(stranger));
      await world.serve(mine, required(authority));
      const both = { minVersion: version, maxVersion: version } as const;
      const session = await sessionOf(other, { ...both, ...certificateOf(impostor) });
      // It is good where it was begun,
      const again = await reuse(other, { ...both, session });
      expect(again).toEqual({ isReused: true, status: 200 });
      // and nowhere else.
      expect(await reuse(mine, { ...both, session })).toEqual({ isReused: false, status: 403 });
    },
  );

  it('no longer count when the authority was replaced, on a connection that stays open too', async () => {
    const id = await world.serve('rotate.test', required(authority));
    const { socket } = await world.handshake('rotate.test', {
      ...certificateOf(visitor),
      ALPNProtocols: ['http/1.1'],
    });
    expect(await statusOn(socket, 'rotate.test')).toBe(200);
    const site = makeSite({
      id,
      domains: ['rotate.test'],
      origins: [{ address: '127.0.0.1', http_port: world.origin.port }],
      tls: toldSettings(required(stranger)),
    });
    await world.edge.applySites(site);
    expect(await statusOn(socket, 'rotate.test')).toBe(421);
    expect((await world.ask('rotate.test', '/', certificateOf(visitor))).status).toBe(403);
    expect((await world.ask('rotate.test', '/', certificateOf(impostor))).status).toBe(200);
  });

  it('are passed on in fields that no visitor can forge, around the cache', async () => {
    await world.serve('pass.test', required(authority, { mode: 'optional', pass_to_origin: true }));
    const forged = { headers: { 'x-client-verify': 'SUCCESS', 'x-client-subject': 'CN=root' } };
    const known = await world.ask('pass.test', '/kept', { ...certificateOf(visitor), ...forged });
    expect(known.body.headers).toMatchObject({
      'x-client-verify': 'SUCCESS',
      'x-client-subject': 'CN=visitor.test',
    });
    expect(known.body.headers['x-client-fingerprint']).toMatch(/^[0-9a-f]{40}$/);
    for (const options of [forged, { ...forged, ...certificateOf(impostor) }]) {
      const { body, status } = await world.ask('pass.test', '/kept', options);
      expect(status).toBe(200);
      for (const name in body.headers) expect(name).not.toMatch(/^x-client/);
    }
    expect((await world.ask('pass.test', '/kept')).headers['x-cache']).toBe('HIT');
    const own = await world.ask('pass.test', '/kept', certificateOf(visitor));
    expect(own.headers['x-cache']).toBe('BYPASS');
    await world.serve('silent.test', required(authority));
    const silent = await world.ask('silent.test', '/', { ...certificateOf(visitor), ...forged });
    expect(silent.body.headers['x-client-subject']).toBeUndefined();
    const plain = await world.edge.get('open.test', '/', forged);
    expect(plain.body).not.toContain('x-client');
  });

  it('are refused with a list of authorities that cannot be read', async () => {
    const site = makeSite({
      id: 900,
      domains: ['broken.test'],
      origins: [{ address: '127.0.0.1' }],
      tls: { client_certificate: { mode: 'require', ca: 'no PEM', depth: 1, pass_to_origin: false } },
    });
    const [result] = await world.edge.applySites(site);
    expect(result).toMatchObject({
      status: 'refused',
      error: expect.stringContaining('client_certificate.ca'),
    });
  });
});

/** A session that the server gave, ready to be resumed. */
async function sessionOf(host: string, options: ConnectionOptions): Promise<Buffer> {
  const { socket } = await world.handshake(host, options);
  const session = new Promise<Buffer>((settle) => socket.once('session', settle));
  const status = await statusOn(socket, host);
  if (status !== 200) throw new Error(`${host} answers ${status}`);
  const given = socket.getProtocol() === 'TLSv1.2' ? socket.getSession()! : await session;
  socket.destroy();
  return given;
}

async function reuse(host: string, options: ConnectionOptions) {
  const { socket } = await world.handshake(host, options);
  const isReused = socket.isSessionReused();
  return { isReused, status: await statusOn(socket, host) };
}

/** One request on an open connection. */
function statusOn(socket: TLSSocket, host: string): Promise<number> {
  return new Promise((settle, refuse) => {
    let text = '';
    const listen = (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.endsWith('\r\n\r\n')) return;
      socket.off('data', listen);
      settle(Number(text.slice(9, 12)));
    };
    socket.on('data', listen);
    socket.once('error', refuse);
    socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  });
}

function askHttp2(host: string, options: ConnectionOptions): Promise<number> {
  return new Promise((settle, refuse) => {
    const session = connectHttp2(`https://127.0.0.1:${world.edge.httpsPort}`, {
      servername: host,
      rejectUnauthorized: false,
      ...options,
    });
    session.on('error', refuse);
    const stream = session.request({ ':path': '/kept', ':authority': host });
    stream.on('response', (headers) => {
      session.close();
      settle(headers[':status']!);
    });
    stream.resume();
  });
}
