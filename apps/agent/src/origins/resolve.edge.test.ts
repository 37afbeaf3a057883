import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge } from '@breakwater/edge/process/edge-process';
import { startOrigin } from '@breakwater/test-world/origin';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from '../nginx/edge-control.ts';
import { hostsIn } from './look-up.ts';
import { originNames, Resolver } from './resolve.ts';
import { edgeOptions, siteDocument, siteEnvelope, statusOf, temporaryFolder } from '../test-edge.ts';

const originAt = (address: string, port = 80) => {
  const document = siteDocument(1);
  const [origin] = document.origin_server_config.origins;
  return { ...document.origin_server_config, origins: [{ ...origin!, address, http_port: port }] };
};

describe('origin names', () => {
  it('are those among the addresses', () => {
    const body = (address: string) =>
      JSON.stringify(siteDocument(1, { origin_server_config: originAt(address) }));
    expect(originNames(body('origin.example.com'))).toEqual(['origin.example.com']);
    expect(originNames(body('192.0.2.1'))).toEqual([]);
    expect(originNames(body('2001:db8::1'))).toEqual([]);
    expect(originNames('{"certificate_id":1}')).toEqual([]);
    const vendor = (url: string) => JSON.stringify({ account_id: 1, vendor: 'turnstile', verify_url: url });
    expect(originNames(vendor('https://challenges.example.com/v0'))).toEqual(['challenges.example.com']);
    expect(originNames(vendor('http://192.0.2.1:81/v0'))).toEqual([]);
  });

  it('are resolved before a document is served, kept when they fail, and forgotten when unused', async () => {
    const edgeDir = await temporaryFolder();
    const options = await edgeOptions();
    const edge = await startEdge({ ...options, edgeDir });
    onTestFinished(() => edge.stop(0));
    const control = new EdgeControl(edge.controlSocket);
    onTestFinished(() => control.close());
    const origin = await startOrigin((_request, response) => response.end('here'));
    onTestFinished(() => origin.close());
    const path = join(edgeDir, 'resolved.json');
    const stored = async () => JSON.parse(await readFile(path, 'utf8')) as Record<string, string[]>;

    await writeFile(path, JSON.stringify({ 'origin.invalid': ['127.0.0.1'] }));
    const resolver = new Resolver({ control, path, logger: pino({ level: 'silent' }) });
    await resolver.load();
    const named = siteEnvelope(1, 1, { origin_server_config: originAt('localhost', origin.port) });
    // RFC 6761 says of `.invalid` that it never resolves: what was known of it before stays.
    const failing = siteEnvelope(2, 2, { origin_server_config: originAt('origin.invalid', origin.port) });
    await resolver.resolveNew([named.body!, failing.body!]);
    expect((await stored())['localhost']).toContain('127.0.0.1');
    await control.apply([named, failing]);
    resolver.track('site/1', named.body);
    resolver.track('site/2', failing.body);
    await resolver.refresh();
    expect(await statusOf(options.httpPorts[0]!, 'site1.example.com')).toBe(200);
    expect(await statusOf(options.httpPorts[0]!, 'site2.example.com')).toBe(200);

    resolver.track('site/2', undefined);
    await resolver.refresh();
    expect(Object.keys(await stored()).sort()).toEqual(['localhost', 'origin.invalid']);
    await resolver.refresh();
    expect(Object.keys(await stored())).toEqual(['localhost']);
  });
});

describe('a name that nobody answers for', () => {
  /** Knows one name, and says nothing of others. */
  async function startNameServer(known: string): Promise<string> {
    const server = createSocket('udp4');
    server.on('message', (question, { port, address }) => {
      const name = nameIn(question);
      if (name !== known) return;
      const isOfA = question.readUInt16BE(12 + name.length + 2) === 1;
      const head = Buffer.from(question.subarray(0, 12 + name.length + 6));
      head.writeUInt16BE(0x8180, 2);
      head.writeUInt16BE(isOfA ? 1 : 0, 6);
      head.writeUInt16BE(0, 10);
      // The name of the question, A, IN, a minute, four bytes: RFC 1035 §4.1.3.
      const record = Buffer.from('c00c000100010000003c00047f000001', 'hex');
      server.send(isOfA ? Buffer.concat([head, record]) : head, port, address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `127.0.0.1:${server.address().port}`;
  }
  /** Labels with their lengths, without the dots of the text. */
  function nameIn(question: Buffer): string {
    const labels: string[] = [];
    for (let at = 12; question[at] !== 0; at += question[at]! + 1)
      labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
    return labels.join('.');
  }

  it('holds up no other, and keeps what was known of it', async () => {
    const edgeDir = await temporaryFolder();
    const options = await edgeOptions();
    const edge = await startEdge({ ...options, edgeDir });
    onTestFinished(() => edge.stop(0));
    const control = new EdgeControl(edge.controlSocket);
    onTestFinished(() => control.close());
    const path = join(edgeDir, 'resolved.json');
    await writeFile(path, JSON.stringify({ 'dead0.test': ['192.0.2.1'] }));
    const nameServers = [await startNameServer('alive.test')];
    const resolver = new Resolver({ control, path, logger: pino({ level: 'silent' }), nameServers });
    await resolver.load();
    const dead = Array.from({ length: 20 }, (_, index) => `dead${index}.test`);
    for (const [index, name] of [...dead, 'alive.test'].entries())
      resolver.track(`site/${index}`, siteEnvelope(index, 1, { origin_server_config: originAt(name) }).body);

    const began = performance.now();
    let isOver = false;
    const refreshed = resolver.refresh().then(() => (isOver = true));
    await expect.poll(async () => readFile(path, 'utf8')).toContain('alive.test');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      'alive.test': ['127.0.0.1'],
      'dead0.test': ['192.0.2.1'],
    });
    // The others are still being asked for.
    expect([isOver, performance.now() - began < 2000]).toEqual([false, true]);
    await refreshed;
    expect(resolver.addressesOf('dead0.test')).toEqual(['192.0.2.1']);
  });
});

it('reads hosts files', () => {
  expect(hostsIn('127.0.0.1 localhost\n::1 localhost Other # a comment\n\n# 192.0.2.1 none\n')).toEqual(
    new Map([
      ['localhost', ['127.0.0.1', '::1']],
      ['other', ['::1']],
    ]),
  );
});
