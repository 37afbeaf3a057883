import { createPrivateKey, X509Certificate } from 'node:crypto';
import { ControlPlane } from '@breakwater/agent/delivery/control-plane';
import { makeCertificateRequest } from '@breakwater/edge/process/certificate-request';
import {
  makeCustomer,
  makeNode,
  makeNodeState,
  startWorld,
  unique,
  type World,
} from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { edgeAuthority } from '../db/schema.ts';
import { ensureAuthority } from './edge-authority.ts';

let world: World;
let addresses = 0;
const stop = new AbortController();
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl') });
});
afterAll(async () => {
  stop.abort();
  await world.close();
});

async function newNode() {
  const ip = `192.0.2.${(addresses += 1)}`;
  const node = await makeNode(world, { ip });
  const credentials = { url: world.userUrl, appId: node.app_id, appSecret: node.app_secret };
  const controlPlane = new ControlPlane(credentials, stop.signal);
  const report = async (is_listening = false) =>
    (await controlPlane.report(makeNodeState({ shield: { port: 7443, is_listening } }))).shield;
  return { id: node.id, ip, controlPlane, report };
}

async function newGroup(l2_enable: boolean) {
  const { id } = await world.admin.get('createLineGroup', {
    body: { name: unique('Group'), l2_enable, l2_mode: 'global' },
  });
  const params = { id };
  return {
    id,
    bind: (add: number[], level: 'L1' | 'L2' = 'L1') =>
      world.admin.get('bindNodes', { params, body: { add, level } }),
    unbind: (remove: number[]) => world.admin.get('bindNodes', { params, body: { remove } }),
    nodes: async () => (await world.admin.get('listLineGroupNodes', { params, query: {} })).list,
  };
}

describe('nodes', () => {
  it('are told of shields that listen, and shields who may ask, while the line group wants that', async () => {
    const group = await newGroup(true);
    const [edge, shield] = [await newNode(), await newNode()];
    await group.bind([edge.id, shield.id]);
    expect(await edge.report()).toEqual({ groups: [] });
    await group.bind([shield.id], 'L2');
    const own = { line_group_id: group.id, mode: 'global' };
    expect((await edge.report())!.groups).toEqual([{ ...own, is_shield: false, shields: [], members: [] }]);
    const { groups, authority } = (await shield.report(true))!;
    expect(groups).toEqual([{ ...own, is_shield: true, shields: [], members: [edge.id] }]);
    expect(new X509Certificate(authority!).ca).toBe(true);
    const named = [{ node_id: shield.id, ip: shield.ip, port: 7443 }];
    expect((await edge.report())!.groups[0]!.shields).toEqual(named);
    expect((await group.nodes()).map(({ id, level, shield_ready }) => [id, level, shield_ready])).toEqual(
      expect.arrayContaining([
        [edge.id, 'L1', false],
        [shield.id, 'L2', true],
      ]),
    );

    // Its binding to line groups may be set from its own page: it stays what it was.
    const params = { id: shield.id };
    await world.admin.get('bindNodeLineGroups', { params, body: { line_group_ids: [group.id] } });
    expect((await edge.report())!.groups[0]!.shields).toEqual(named);
    const version = 1;
    const name = unique('Group');
    await world.admin.get('updateLineGroup', {
      params: { id: group.id },
      body: { name, l2_enable: false, version },
    });
    expect([await edge.report(), await shield.report(true)]).toEqual([{ groups: [] }, { groups: [] }]);
  });

  it('know nothing of those that were taken away, nor do these of them', async () => {
    const group = await newGroup(true);
    const [edge, shield, other] = [await newNode(), await newNode(), await newNode()];
    await group.bind([edge.id]);
    await group.bind([shield.id, other.id], 'L2');
    for (const each of [shield, other]) await each.report(true);
    expect((await edge.report())!.groups[0]!.shields).toHaveLength(2);
    await group.unbind([other.id]);
    expect((await edge.report())!.groups[0]!.shields).toHaveLength(1);
    expect(await other.report(true)).toEqual({ groups: [] });
    await group.unbind([edge.id]);
    expect((await shield.report(true))!.groups[0]!.members).toEqual([]);
    expect(await edge.report()).toEqual({ groups: [] });
  });

  it('that know of no shields are told of none and are none', async () => {
    const group = await newGroup(true);
    const [edge, old] = [await newNode(), await newNode()];
    await group.bind([edge.id]);
    await group.bind([old.id], 'L2');
    expect(await old.controlPlane.report(makeNodeState())).not.toHaveProperty('shield');
    expect((await edge.report())!.groups[0]!.shields).toEqual([]);
  });
});

describe('the authority', () => {
  it('is made once, by however many ask at once, and its key lies sealed', async () => {
    const { db, secrets } = world.server.services;
    const made = await Promise.all([1, 2, 3].map(() => ensureAuthority(db, secrets)));
    expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
    const [row] = await db.select().from(edgeAuthority);
    expect(row!.privateKey).toMatch(/^v2\./);
    expect(secrets.decrypt(row!.privateKey)).toContain('PRIVATE KEY');
  });

  it('certifies the key of a node under its own name, for a week', async () => {
    const node = await newNode();
    const { request, key } = makeCertificateRequest();
    const { certificate, authority } = await node.controlPlane.certify(request);
    const issued = new X509Certificate(certificate);
    const issuer = new X509Certificate(authority);
    expect([issued.verify(issuer.publicKey), issued.checkIssued(issuer)]).toEqual([true, true]);
    expect([issued.subject, issued.subjectAltName]).toEqual([
      `CN=node-${node.id}`,
      `DNS:node-${node.id}.shield.internal`,
    ]);
    expect(issued.ca).toBe(false);
    const days = (issued.validToDate.getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days * 10)).toBe(70);
    expect(issued.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it('signs nothing for who is no node, and no key that its sender does not have', async () => {
    const node = await newNode();
    const [one, two] = [makeCertificateRequest().request, makeCertificateRequest().request];
    const mixed = pem(Buffer.concat([bytesOf(one).subarray(0, 100), bytesOf(two).subarray(100)]));
    for (const request of ['nothing', mixed])
      await expect(node.controlPlane.certify(request)).rejects.toThrow('PKCS #10');
    const path = '/node-api/shield_certificate';
    expect((await world.anonymousUser.send('POST', path, { request: one })).status).toBe(401);
    const customer = await makeCustomer(world);
    expect((await customer.api.send('POST', path, { request: one })).status).toBe(401);
    const params = { id: 1 };
    expect((await customer.api.call('bindNodes', { params, body: { add: [node.id] } })).status).not.toBe(200);
  });
});

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll(/-----.*-----|\s/g, ''), 'base64');
const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
