import { setTimeout as delay } from 'node:timers/promises';
import type { IssuedPair } from '../../packages/test-world/src/authority.ts';
import { makeSite, waitFor, type World } from '../../packages/test-world/src/index.ts';
import type { LiveOrigin } from './trial-origins.ts';
import type { Told } from './trial-visitors.ts';

/** The sites of a trial, and what their owner does to them meanwhile. */

export const [fileHost, liveHost, callHost] = ['doc.example.com', 'live.example.com', 'call.example.com'];

/** For what happens soon on a machine that has nothing else to do. */
export const patienceSeconds = 600;

export class TrialSites {
  readonly #world: World;
  readonly #tell: (told: Told) => void;
  readonly #fileSite: number;
  readonly #liveSite: number;
  readonly #certificate: number;
  saves = 0;

  private constructor(
    world: World,
    tell: (told: Told) => void,
    ids: { file: number; live: number; certificate: number },
  ) {
    this.#world = world;
    this.#tell = tell;
    this.#fileSite = ids.file;
    this.#liveSite = ids.live;
    this.#certificate = ids.certificate;
  }

  static async open(
    world: World,
    pair: IssuedPair,
    filePorts: number[],
    live: LiveOrigin,
    tell: (told: Told) => void,
  ): Promise<TrialSites> {
    const file = await makeSite(world.admin, { domain: fileHost, port: filePorts[0]! });
    const streams = await makeSite(world.admin, { domain: liveHost, port: live.port });
    const calls = await makeSite(world.admin, { domain: callHost, port: live.callPort });
    const { client_id } = await world.admin.get('getSite', { params: { id: file.id } });
    const { id: certificate } = await world.admin.get('createCertificate', {
      body: { name: 'trial', certificate: pair.certificate, private_key: pair.key, client_id },
    });
    for (const { id } of [file, streams, calls])
      await world.admin.get('updateCertificateSettings', {
        query: { site_id: id },
        body: { version: 1, value: { certificate_ids: [certificate] } },
      });
    const origins = filePorts.map((port) => ({
      address: '127.0.0.1',
      http_port: port,
      fail_timeout_seconds: 5,
    }));
    const timeouts = { connect_timeout_seconds: 2, send_timeout_seconds: 5, read_timeout_seconds: 5 };
    await changeSection(world, 'OriginServerConfig', file.id, {
      origins,
      ...timeouts,
      retry_on: ['timeout', 'gateway_error'],
    });
    await changeSection(world, 'OriginServerConfig', calls.id, { grpc: true });
    const kept = { action: 'cache', ttl_seconds: 20, query_policy: 'none', query_names: [], enabled: true };
    const rules = [
      { ...kept, type: 'suffix', content: ['gz'], match_content_type: false, slice_bytes: 1_048_576 },
      { ...kept, type: 'all', content: [] },
    ];
    await changeSection(world, 'CacheRule', file.id, { rules, always_online: true });
    await changeSection(world, 'SpeedOptimize', file.id, { gzip: true, brotli: true });
    const sites = new TrialSites(world, tell, { file: file.id, live: streams.id, certificate });
    return sites;
  }

  /** Again and again, each with a number that all answers carry once it is in service. */
  async keepSaving(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const number = this.saves + 1;
      await this.save(number).catch((error: unknown) => {
        // The control plane is away for a while, too.
        if (!/ECONNREFUSED|ECONNRESET|fetch failed|stopped/.test(String((error as Error).stack))) throw error;
      });
      await delay(1500);
    }
  }

  async save(number: number): Promise<void> {
    await changeSection(this.#world, 'ContentRewrite', this.#fileSite, {
      response_headers: [{ action: 'set', name: 'X-Trial', value: `${number}` }],
    });
    await this.#applied(this.#fileSite);
    this.saves = number;
    this.#tell({ saved: number });
  }

  async changePorts(ports: number[]): Promise<void> {
    await changeSection(this.#world, 'ListenPort', this.#liveSite, { http_ports: ports, https_ports: [] });
    await this.#applied(this.#liveSite);
  }

  async replaceCertificate({ certificate, key }: IssuedPair): Promise<void> {
    const params = { id: this.#certificate };
    const { version } = await this.#world.admin.get('getCertificate', { params });
    const body = { version, name: 'trial', certificate, private_key: key };
    const { task_id } = await this.#world.admin.get('updateCertificate', { params, body });
    await waitFor(
      'the certificate',
      async () => {
        const { status } = await this.#world.admin.get('getTask', { params: { id: task_id! } });
        return status === 'done';
      },
      patienceSeconds,
    );
  }

  async refresh(mode: 'delete' | 'revalidate'): Promise<void> {
    const began = Date.now();
    const { ids } = await this.#world.admin.get('createSiteRefresh', {
      body: { type: 'clean_site', mode, site_ids: [this.#fileSite] },
    });
    await waitFor(
      'the refresh',
      async () => {
        const { delivery } = await this.#world.admin.get('getSiteRefresh', { params: { id: ids[0]! } });
        return delivery.status === 'applied';
      },
      patienceSeconds,
    );
    this.#tell({ refreshed: began });
  }

  async #applied(id: number): Promise<void> {
    await waitFor(
      'the site',
      async () => {
        const { delivery } = await this.#world.admin.get('getSite', { params: { id } });
        return delivery.status === 'applied';
      },
      patienceSeconds,
    );
  }
}

type Section = 'OriginServerConfig' | 'CacheRule' | 'SpeedOptimize' | 'ContentRewrite' | 'ListenPort';

async function changeSection(
  { admin }: World,
  section: Section,
  siteId: number,
  change: object,
): Promise<void> {
  const query = { site_id: siteId };
  const { version, value } = await admin.get(`get${section}` as const, { query });
  await admin.get(`update${section}` as const, {
    query,
    body: { version, value: { ...value, ...change } } as never,
  });
}
