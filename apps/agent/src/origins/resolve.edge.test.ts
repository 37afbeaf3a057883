import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEdge } from '@breakwater/edge/process/edge-process';
import { startOrigin } from '@breakwater/test-world/origin';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EdgeControl } from '../nginx/edge-control.ts';
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
