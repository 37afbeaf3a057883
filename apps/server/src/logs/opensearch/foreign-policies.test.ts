import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import { Days } from './days.ts';
import { readForeignPolicies } from './foreign-policies.ts';
import { Names } from './names.ts';
import { StateDocuments } from './state.ts';

/**
 * Neither engine of the test suite has its lifecycle manager, so that these answers are as OpenSearch 2.19 and Elasticsearch 8
 * document theirs.
 */

type Answers = Record<string, { status?: number; body: object }>;

let server: Server;
let cluster: Cluster;
afterEach(async () => {
  await cluster.close();
  server.close();
  await once(server, 'close');
});

/** What is read from a cluster that answers so, by path; any other path has no handler. */
async function readFrom(distribution: string | undefined, answers: Answers) {
  const all: Answers = { '/': { body: { version: { number: '8.19.0', distribution } } }, ...answers };
  server = createServer(({ url = '' }, response) => {
    const none = { error: `no handler found for uri [${url}] and method [GET]` };
    const { status = 200, body } = all[url.split('?')[0]!] ?? { status: 400, body: none };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cluster = new Cluster(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const names = new Names(cluster.prefix);
  return readForeignPolicies({ cluster, names, days: new Days(new StateDocuments(cluster, names), names) });
}

const indices = 'breakwater-log-*,breakwater-figures-*,breakwater-state*';
const explainIlm = `/${indices}/_ilm/explain`;
const explainIsm = `/_plugins/_ism/explain/${indices}`;
const forbidden = { status: 403, body: { error: { type: 'security_exception', reason: 'no' } } };

const managedBy = (policy: string) => ({ managed: true, policy, phase: 'hot', age: '3.2d' });

test('Elasticsearch: a policy that deletes is told of with its age, and one that does not', async () => {
  const policies = await readFrom(undefined, {
    [explainIlm]: {
      body: {
        indices: {
          'breakwater-log-2026.03.01-1': managedBy('logs'),
          'breakwater-log-2026.03.02-1': managedBy('logs'),
          'breakwater-figures-2026.03': managedBy('shrink only'),
          // Of an installation whose prefix begins as ours.
          'breakwater-state2-log-2026.03.01-1': managedBy('another'),
        },
      },
    },
    '/_ilm/policy/logs': {
      body: {
        logs: {
          version: 1,
          policy: {
            phases: {
              hot: { min_age: '0ms', actions: { rollover: { max_age: '7d' } } },
              delete: { min_age: '30d', actions: { delete: { delete_searchable_snapshot: true } } },
            },
          },
        },
      },
    },
    '/_ilm/policy/shrink%20only': {
      body: {
        'shrink only': {
          policy: { phases: { warm: { min_age: '1d', actions: { shrink: { number_of_shards: 1 } } } } },
        },
      },
    },
  });
  expect(policies).toEqual([
    { name: 'logs', indices: 2, deletes: true, deletes_after: '30d' },
    { name: 'shrink only', indices: 1, deletes: false, deletes_after: '' },
  ]);
});

test('Elasticsearch: a policy that may not be read is told of all the same', async () => {
  const policies = await readFrom(undefined, {
    [explainIlm]: { body: { indices: { 'breakwater-state': managedBy('logs') } } },
    '/_ilm/policy/logs': forbidden,
  });
  expect(policies).toEqual([{ name: 'logs', indices: 1, deletes: null, deletes_after: '' }]);
});

test('OpenSearch: states that delete, and none where it was stopped or there is no policy', async () => {
  const policy = {
    policy_id: 'old-logs',
    default_state: 'hot',
    states: [
      {
        name: 'hot',
        actions: [],
        transitions: [{ state_name: 'gone', conditions: { min_index_age: '14d' } }],
      },
      { name: 'gone', actions: [{ retry: { count: 3 }, delete: {} }], transitions: [] },
    ],
  };
  const on = (id: string | null, more: object = {}) => ({
    'index.plugins.index_state_management.policy_id': id,
    'index.opendistro.index_state_management.policy_id': id,
    enabled: id === null ? null : true,
    ...more,
  });
  const policies = await readFrom('opensearch', {
    [explainIsm]: {
      body: {
        'breakwater-log-2026.03.01-1': on('old-logs', { policy_id: 'old-logs', policy }),
        'breakwater-log-2026.03.02-1': on('old-logs', { policy_id: 'old-logs', policy }),
        'breakwater-figures-2026.03': on('stopped', { policy_id: 'stopped', enabled: false, policy }),
        'breakwater-state': on(null),
        total_managed_indices: 3,
      },
    },
  });
  expect(policies).toEqual([{ name: 'old-logs', indices: 2, deletes: true, deletes_after: '14d' }]);
});

test.each(['opensearch', undefined])(
  '%s without such a manager has none, and who may not ask does not know',
  async (distribution) => {
    expect(await readFrom(distribution, {})).toEqual([]);
    await cluster.close();
    server.close();
    expect(await readFrom(distribution, { [explainIlm]: forbidden, [explainIsm]: forbidden })).toBeNull();
  },
);
