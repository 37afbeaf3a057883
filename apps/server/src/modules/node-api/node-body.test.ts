import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { makeNode, makeNodeState, startWorld, type World } from '@breakwater/test-world';
import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { sign } from '@breakwater/agent/delivery/signature';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';

let world: World;
let node: { app_id: string; app_secret: string };
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
  node = await makeNode(world, { ip: '192.0.2.10' });
});
afterAll(() => world.close());

/** Sends the head of a call of a node and, when there is any, so many bytes of a body that never ends; answers the status. */
async function statusOf(appId: string, options: { time?: number; bytes?: number } = {}): Promise<number> {
  const { time = Date.now() / 1000, bytes = 0 } = options;
  const target = '/node-api/state';
  const nonce = randomBytes(16).toString('hex');
  const parts = { method: 'POST', target, body: '', time: Math.floor(time), nonce };
  const { hostname, port } = new URL(world.userUrl);
  const socket = connect(Number(port), hostname);
  try {
    socket.write(
      `POST ${target} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\n` +
        `transfer-encoding: chunked\r\nauthorization: ${sign(appId, node.app_secret, parts)}\r\n\r\n`,
    );
    if (bytes > 0) socket.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`);
    for await (const chunk of socket.iterator({ destroyOnReturn: false }))
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1]);
    return 0;
  } finally {
    socket.destroy();
  }
}

describe('the body of a call of a node', () => {
  it('is not waited for when the header is of an unknown node, or of another time', async () => {
    expect(await statusOf('Z'.repeat(16))).toBe(401);
    expect(await statusOf(node.app_id, { time: Date.now() / 1000 - 3600 })).toBe(401);
  }, 5000);

  it('is limited for a known one', async () => {
    expect(await statusOf(node.app_id, { bytes: 65 * 1024 })).toBe(413);
  }, 5000);
});

describe('an agent of a newer release', () => {
  it('is heard, and what is new in what it says is passed over', async () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
    const agent = new ControlPlane(credentials, stop.signal);
    const later = { of_a_later_release: { all: 'new' } };
    await agent.report({ ...makeNodeState({ version: '9.9.9' }), ...later });
    const result = {
      kind: 'of_a_later_release',
      key: '1',
      revision: 1,
      status: 'applied',
      ...later,
    } as const;
    await agent.acknowledge([result]);
    await agent.reportHealth({ reset: true, origins: [], events: [], gone: [], ...later });
    const { list } = await world.admin.get('listNodes', { query: {} });
    expect(list.map(({ agent_version }) => agent_version)).toContain('9.9.9');
  });
});
