import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { freePorts } from '@breakwater/test-world/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSite, TestEdge, type SiteInput } from './support.ts';

let edge: TestEdge;
let origin: Server;
let proxyPort: number;
let nextId = 1;
const trusted = ['127.0.0.0/8'];

/** Says what it was told of the visitor. */
beforeAll(async () => {
  [proxyPort] = (await freePorts(1)) as [number];
  edge = await TestEdge.start({ proxyHttpPorts: [proxyPort] });
  origin = createServer((request, response) =>
    response.end([request.headers['x-real-ip'], request.headers['x-forwarded-for']].join(' | ')),
  );
  await new Promise<void>((settle) => origin.listen(0, '127.0.0.1', settle));
});
afterAll(async () => {
  await edge.close();
  origin.closeAllConnections();
  await new Promise((settle) => origin.close(settle));
});

async function siteWith(realIp?: SiteInput['realIp'], more: Partial<SiteInput> = {}): Promise<string> {
  const id = nextId++;
  const host = `address${id}.test`;
  const results = await edge.applySites(
    makeSite({
      id,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: (origin.address() as AddressInfo).port }],
      ...(realIp === undefined ? {} : { realIp }),
      ...more,
    }),
  );
  expect(results[0]!.status).toBe('applied');
  return host;
}

/** What the origin is told when these lines come in the header: the visitor, and the way here. */
async function told(host: string, lines: string[], port = edge.httpPort, before = ''): Promise<string> {
  const answer = await raw(
    port,
    `${before}GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`,
  );
  return answer.split('\r\n\r\n')[1] ?? '';
}

function raw(port: number, request: string | Buffer): Promise<string> {
  return new Promise((settle, refuse) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let text = '';
    socket.setTimeout(5000, () => socket.destroy(new Error('The connection stays open.')));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', refuse);
    socket.on('close', () => settle(text));
  });
}

const ofSocket = '127.0.0.1 | 127.0.0.1';
const forged = [
  'X-Forwarded-For: 6.6.6.6',
  'X-Real-IP: 6.6.6.6',
  'CF-Connecting-IP: 6.6.6.6',
  'True-Client-IP: 6.6.6.6',
  'Forwarded: for=6.6.6.6',
];

describe('a visitor cannot pass for another', () => {
  it('where the socket counts', async () => {
    expect(await told(await siteWith(), forged)).toBe(ofSocket);
    expect(await told(await siteWith({ mode: 'socket', trusted }), forged)).toBe(ofSocket);
  });

  it('where nobody is trusted, or others are', async () => {
    for (const mode of ['header', 'xff', 'cdn', 'proxy_protocol'] as const)
      for (const others of [[], ['192.0.2.0/24', '::/0']]) {
        const host = await siteWith({ mode, headers: ['X-Real-IP', 'X-Forwarded-For'], trusted: others });
        expect([mode, await told(host, forged)]).toEqual([mode, ofSocket]);
      }
  });

  it('by many lines, of which a trusted proxy adds the last', async () => {
    const host = await siteWith({ mode: 'header', headers: ['X-Forwarded-For'], trusted });
    const many = Array.from({ length: 150 }, () => 'X-Forwarded-For: 6.6.6.6');
    expect(await told(host, [...many, 'X-Forwarded-For: 198.51.100.7'])).toBe(
      '198.51.100.7 | 198.51.100.7, 127.0.0.1',
    );
    const other = await siteWith({ mode: 'header', headers: ['X-Real-IP'], trusted });
    const lines = Array.from({ length: 150 }, () => 'X-Real-IP: 6.6.6.6');
    expect(await told(other, [...lines, 'X-Real-IP: 198.51.100.7'])).toMatch(/^198\.51\.100\.7 /);
  });

  it('by a name that differs only for some', async () => {
    const host = await siteWith({ mode: 'header', headers: ['X-Real-IP'], trusted: ['10.0.0.0/8'] });
    expect(
      await told(host, ['X_Real_IP: 6.6.6.6', 'x-real-ip: 6.6.6.6', 'X-Real-IP : 6.6.6.6']),
    ).not.toContain('6.6.6.6');
  });

  it('by garbage, which leaves the socket’s address', async () => {
    const host = await siteWith({ mode: 'header', headers: ['X-Real-IP'], trusted });
    const long = '1.2.3.4, '.repeat(800);
    for (const value of [
      '',
      'unknown',
      '1.2.3',
      '1.2.3.4.5',
      '::ffff:1.2.3',
      '[::1',
      '1.2.3.4;',
      `${long}x`,
      '%00',
    ])
      expect([value.slice(0, 20), await told(host, [`X-Real-IP: ${value}`])]).toEqual([
        value.slice(0, 20),
        ofSocket,
      ]);
    // What nginx takes no header of ends there.
    expect(
      await raw(edge.httpPort, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Real-IP: ${long.repeat(2)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 400 /);
    expect(await told(host, ['X-Real-IP: 198.51.100.7'])).toMatch(/^198\.51\.100\.7 /);
  });
});

describe('behind a proxy that is trusted', () => {
  it('the first of the fields that holds an address counts', async () => {
    const host = await siteWith({ mode: 'header', headers: ['True-Client-IP', 'X-Real-IP'], trusted });
    expect(await told(host, ['X-Real-IP: 198.51.100.7'])).toBe('198.51.100.7 | 198.51.100.7, 127.0.0.1');
    expect(await told(host, ['X-Real-IP: 198.51.100.7', 'True-Client-IP: 2001:DB8::0:7'])).toBe(
      '2001:db8::7 | 2001:db8::7, 127.0.0.1',
    );
    expect(await told(host, ['X-Real-IP: ::ffff:198.51.100.7'])).toMatch(/^198\.51\.100\.7 \|/);
    expect(await told(host, [])).toBe(ofSocket);
  });

  it('the place in X-Forwarded-For counts from its end', async () => {
    const host = await siteWith({ mode: 'xff', depth: 2, trusted });
    expect(await told(host, ['X-Forwarded-For: 6.6.6.6, 198.51.100.7', 'X-Forwarded-For: 203.0.113.1'])).toBe(
      '198.51.100.7 | 198.51.100.7, 127.0.0.1',
    );
    expect(await told(host, ['X-Forwarded-For: 198.51.100.7'])).toBe(ofSocket);
  });

  it.each([
    ['cloudflare', ['CF-Connecting-IP: 198.51.100.7', 'X-Forwarded-For: 6.6.6.6']],
    // What it passes on of its own field a visitor may have written; see cdn-preset.ts.
    ['fastly', ['Fastly-Client-IP: 6.6.6.6', 'X-Forwarded-For: 6.6.6.6, 198.51.100.7, 23.235.32.1']],
  ] as const)('what %s adds counts, and nothing that a visitor wrote', async (preset, fields) => {
    const host = await siteWith({ mode: 'cdn', preset, trusted });
    expect(await told(host, [...fields])).toMatch(/^198\.51\.100\.7 /);
  });
});

describe('the PROXY protocol', () => {
  const version1 = 'PROXY TCP4 198.51.100.7 127.0.0.1 40000 80\r\n';
  const version2 = Buffer.concat([
    Buffer.from('0d0a0d0a000d0a515549540a2111000c', 'hex'),
    Buffer.from([198, 51, 100, 8, 127, 0, 0, 1, 0x9c, 0x40, 0, 80]),
  ]);

  it('gives the address, in both versions, on its own port', async () => {
    const host = await siteWith({ mode: 'proxy_protocol', trusted });
    expect(await told(host, forged, proxyPort, version1)).toBe('198.51.100.7 | 198.51.100.7, 127.0.0.1');
    const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await raw(proxyPort, Buffer.concat([version2, request]))).toContain(
      '198.51.100.8 | 198.51.100.8, 127',
    );
    expect(await told(host, forged)).toBe(ofSocket);
    expect(await told(host, forged, proxyPort, 'PROXY UNKNOWN\r\n')).toBe(ofSocket);
  });

  it('is believed of a trusted peer only, and for sites that want it', async () => {
    const untrusted = await siteWith({ mode: 'proxy_protocol', trusted: ['192.0.2.1'] });
    expect(await told(untrusted, [], proxyPort, version1)).toBe(ofSocket);
    expect(await told(await siteWith(), [], proxyPort, version1)).toBe(ofSocket);
  });

  it('is needed on its port', async () => {
    const host = await siteWith({ mode: 'proxy_protocol', trusted });
    expect(await told(host, [], proxyPort)).toBe('');
  });
});

it('is logged with the address of the socket', async () => {
  const host = await siteWith({ mode: 'header', headers: ['X-Real-IP'], trusted });
  await told(host, ['X-Real-IP: 198.51.100.7']);
  await told(await siteWith(), forged);
  const [line] = await edge.logLines(1, (each) => each.host === host);
  expect(line).toMatchObject({ remote_addr: '198.51.100.7', raw_remote_addr: '127.0.0.1' });
  const [plain] = await edge.logLines(1, (each) => each.host === `address${nextId - 1}.test`);
  expect(plain).toMatchObject({ remote_addr: '127.0.0.1', raw_remote_addr: '127.0.0.1' });
});

it('opens a site under maintenance to those who may see it', async () => {
  const host = await siteWith(
    { mode: 'header', headers: ['X-Real-IP'], trusted },
    { advanced: { maintenance: { enabled: true, allowed_ips: ['198.51.100.7'] } } },
  );
  expect(await told(host, ['X-Real-IP: 198.51.100.7'])).toMatch(/^198\.51\.100\.7 /);
  expect(await told(host, ['X-Real-IP: 198.51.100.8'])).toContain('503');
});
