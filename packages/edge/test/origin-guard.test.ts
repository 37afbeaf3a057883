import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOrigin, TestEdge, type TestOrigin } from './support.ts';

let edge: TestEdge;
let origin: TestOrigin;
const own = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

/** A node as it is by default, and what must not be reached beside it. */
beforeAll(async () => {
  edge = await TestEdge.start({ privateOrigins: false });
  origin = await startOrigin((_request, response) => response.end('inside'), undefined, 0, '0.0.0.0');
});
afterAll(async () => {
  await edge.close();
  await origin.close();
});

async function refuses(address: string): Promise<void> {
  const host = await edge.serve([{ address, http_port: origin.port, https_port: origin.port }], {
    connect_timeout_seconds: 1,
  });
  const answer = await edge.get(host);
  expect([answer.status, answer.body.includes('cannot be reached')]).toEqual([502, true]);
  expect(origin.count()).toBe(0);
  const log = await readFile(join(edge.dir, 'logs/error.log'), 'utf8');
  expect(log).toContain(`origin ${address} is not asked`);
}

describe('origins that lead inside', () => {
  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
  ])('does not ask %s', refuses);

  it("does not ask the node's own addresses, whatever they are", async () => {
    for (const address of own) await refuses(address.replace(/%.*/, ''));
  });

  it('does not ask a name that has come to mean the node itself (DNS rebinding)', async () => {
    const host = await edge.serve([{ address: 'rebound.example', http_port: origin.port }], {
      connect_timeout_seconds: 1,
    });
    for (const address of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:7f00:1']) {
      await edge.control('PUT', '/resolved', { 'rebound.example': [address] });
      expect((await edge.get(host)).status).toBe(502);
    }
    expect(origin.count()).toBe(0);
  });

  it('asks only the public ones of the addresses of a name', async () => {
    const host = await edge.serve([{ address: 'mixed.example', http_port: origin.port }], {
      connect_timeout_seconds: 1,
      tries: 5,
    });
    await edge.control('PUT', '/resolved', { 'mixed.example': ['127.0.0.1', '192.31.196.1', '10.9.9.9'] });
    const answer = await edge.get(host);
    // A public address where nobody answers: AS112 is a sink (RFC 7535).
    expect([502, 504]).toContain(answer.status);
    const [line] = await edge.logLines(1, ({ request_id }) => request_id === answer.headers['x-request-id']);
    expect(line!.origin_addr).toBe(`192.31.196.1:${origin.port}`);
    expect(origin.count()).toBe(0);
  });
});
