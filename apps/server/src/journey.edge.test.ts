import { fileHandler, makeSite, startWorld, waitFor, type World } from '@breakwater/test-world';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

/** The main job without a browser: from a new site to a chart, and through an outage of the control plane. */

let world: World;
beforeAll(async () => {
  world = await startWorld({ templateUrl: inject('templateUrl'), edge: true });
});
afterAll(() => world.close());

/** Debian's nginx-doc: a real tree of real files. */
const documentation = '/usr/share/doc/nginx';

describe('the main job', () => {
  it('serves a new site from cache, proves its delivery, and shows its requests, through an outage', async () => {
    const origin = await world.startOrigin(fileHandler(documentation));
    const site = await makeSite(world.admin, { port: origin.port });
    const delivered = await waitFor('delivery', async () => {
      const { documents } = await world.admin.get('getSiteDelivery', { params: { id: site.id } });
      return documents[0]?.nodes[0]?.status === 'applied' && documents[0];
    });
    expect(delivered.nodes).toHaveLength(1);
    expect(delivered.nodes[0]?.active_revision).toBe(delivered.desired_revision);
    expect(await world.admin.get('getTask', { params: { id: site.taskId } })).toMatchObject({
      status: 'done',
      total: 1,
      done: 1,
    });

    const fetchPage = async () => (await world.fetchEdge(site.domain, '/README')).headers['x-cache'];
    expect([await fetchPage(), await fetchPage(), await fetchPage()]).toEqual(['MISS', 'HIT', 'HIT']);
    expect(origin.requests).toHaveLength(1);

    const logs = () => world.admin.get('listAccessLogs', { query: { site_id: site.id, page_size: 50 } });
    await waitFor('three lines in the access log', async () => (await logs()).total === 3, 5);

    await world.stopControlPlane();
    expect([await fetchPage(), await fetchPage()]).toEqual(['HIT', 'HIT']);
    await world.startControlPlane();
    await waitFor('the lines of the outage', async () => (await logs()).total >= 5, 20);
    const { list, total } = await logs();
    expect(total).toBe(5);
    expect(new Set(list.map((row) => row.request_id)).size).toBe(5);

    const range = {
      start_time: new Date(Date.now() - 600_000).toISOString(),
      end_time: new Date(Date.now() + 120_000).toISOString(),
    };
    const params = { side: 'cdn', metric: 'request' } as const;
    const query = { ...range, interval: '60', site_id: site.id } as const;
    const { points } = await world.admin.get('monitorMetric', { params, query });
    expect(points.reduce((sum, point) => sum + (point.value ?? 0), 0)).toBe(5);
  });
});
