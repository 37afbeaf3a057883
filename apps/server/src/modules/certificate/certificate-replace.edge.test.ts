import { connect } from 'node:tls';
import { makeSite, startWorld, unique, waitFor, type World } from '@breakwater/test-world';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let world: World;
let authority: Authority;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
  authority = await Authority.make('Test authority');
});
afterAll(async () => {
  await world.close();
  await authority.close();
});

/** The serial number of what a visitor of this name is shown. */
const served = (servername: string) =>
  new Promise<string>((resolve, reject) => {
    const at = { host: '127.0.0.1', port: world.edgeHttpsPort, servername, rejectUnauthorized: false };
    const socket = connect(at, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

it('is replaced on the node of every site that uses it, and the task ends when the node has confirmed', async () => {
  const domains = [`${unique('one')}.example.com`, `${unique('two')}.example.com`];
  const [old, next] = [await authority.issue(domains), await authority.issue(domains)];
  const sites = [];
  for (const domain of domains) sites.push(await makeSite(world.admin, { domain }));
  const { client_id } = await world.admin.get('getSite', { params: { id: sites[0]!.id } });
  const name = unique('cert');
  const { id } = await world.admin.get('createCertificate', {
    body: { name, certificate: old.certificate, private_key: old.key, client_id },
  });
  for (const site of sites)
    await world.admin.get('updateCertificateSettings', {
      query: { site_id: site.id },
      body: { version: 1, value: { certificate_ids: [id] } },
    });
  for (const domain of domains)
    await waitFor('the certificate', async () => (await served(domain)) === old.serial);

  const { task_id } = await world.admin.get('updateCertificate', {
    params: { id },
    body: { version: 1, name, certificate: next.certificate, private_key: next.key },
  });
  const task = await waitFor('the node', async () => {
    const found = await world.admin.get('getTask', { params: { id: task_id! } });
    return found.status === 'done' && found;
  });
  expect(task).toMatchObject({ type: 'certificate_update', title: name, total: 1, done: 1, object_id: id });
  expect(await Promise.all(domains.map(served))).toEqual([next.serial, next.serial]);
});
