import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentEnvelope, DocumentKind, SiteDocument } from '@breakwater/contract';
import type { EdgeOptions } from '@breakwater/edge/process/edge-process';
import { freePorts } from '@breakwater/test-world/ports';
import { onTestFinished } from 'vitest';

/** Parts for tests against a real nginx. */

/** A folder of this test, readable to nginx's workers. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function edgeOptions(): Promise<Omit<EdgeOptions, 'edgeDir'>> {
  const [httpPort, httpsPort] = (await freePorts(2)) as [number, number];
  return {
    httpPorts: [httpPort],
    httpsPorts: [httpsPort],
    listenAddress: '127.0.0.1',
    workerProcesses: 2,
    cacheSizeMax: '64m',
    documentsSizeMax: '64m',
    privateOrigins: true,
    nodeName: 'test',
  };
}

export function siteDocument(id: number, changes: Partial<SiteDocument> = {}): SiteDocument {
  return {
    site_id: id,
    client_id: 1,
    order_id: 1,
    status: 'online',
    domains: [`site${id}.example.com`],
    origin_server_config: {
      origins: [
        {
          address: '127.0.0.1',
          http_port: 9,
          https_port: 9,
          weight: 10,
          state: 'primary',
          max_fails: 3,
          fail_timeout_seconds: 10,
        },
      ],
      protocol: 'http',
      connect_timeout_seconds: 10,
      send_timeout_seconds: 60,
      read_timeout_seconds: 60,
      tries: 1,
    },
    cache_rule: [],
    certificate_settings: { certificate_ids: [] },
    ...changes,
  };
}

export function siteEnvelope(
  id: number,
  revision: number,
  changes: Partial<SiteDocument> = {},
): DocumentEnvelope {
  return envelopeOf('site', String(id), revision, siteDocument(id, changes));
}

export function envelopeOf(
  kind: DocumentKind,
  key: string,
  revision: number,
  document: object,
): DocumentEnvelope {
  const body = JSON.stringify(document);
  const hash = createHash('sha256').update(body).digest('hex');
  return { kind, key, revision, deleted: false, hash, body };
}

export const regexRule = (pattern: string): NonNullable<SiteDocument['cache_rule']> => [
  {
    type: 'regex',
    content: [pattern],
    action: 'cache',
    ttl_seconds: 60,
    query_policy: 'all',
    query_names: [],
    enabled: true,
  },
];

/** What the edge says to a request for a host: 421 where no site answers to it. */
export function statusOf(httpPort: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port: httpPort, path: '/', headers: { host }, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on('error', reject);
    call.end();
  });
}
