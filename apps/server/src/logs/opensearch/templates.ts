import { type FigureColumn, figureNames } from '../figure-tables.ts';
import { LogStoreFullError } from '../log-store.ts';
import { type Cluster, ClusterError } from './cluster.ts';
import type { Names } from './names.ts';

/** What each field is to the store: made when an index is made, by templates. */

const keyword = { type: 'keyword', ignore_above: 8000 } as const;
const number = { type: 'integer' } as const;
/** Not searched, but there for whoever looks with tools of their own. */
const aside = { index: false } as const;

const keys = {
  time: { type: 'date' },
  site_id: number,
  client_id: number,
  order_id: number,
  node_id: number,
  host: keyword,
  country: keyword,
  province: keyword,
  carrier: keyword,
} as const;

/** Those that are no fields of a line are only summed, and are not given back with it. */
const figureTypes: Record<FigureColumn, object> = Object.fromEntries(
  figureNames.map((name) => [name, { type: name.endsWith('_time') ? 'double' : 'long', ...aside }]),
) as Record<FigureColumn, object>;

const recordFields = {
  ...keys,
  ...figureTypes,
  recorded: { type: 'boolean' },
  request_id: keyword,
  asn: { type: 'long' },
  // What is no address is kept, and found by its other fields. Rankings are in the order of texts.
  remote_addr: { type: 'ip', ignore_malformed: true, fields: { text: { ...keyword, ...aside } } },
  raw_remote_addr: { type: 'ip', ignore_malformed: true, ...aside },
  remote_port: { ...number, ...aside },
  method: keyword,
  scheme: { ...keyword, ...aside },
  protocol: { ...keyword, ...aside },
  // Searched by any part of it.
  request_uri: { type: 'wildcard' },
  url: keyword,
  status: number,
  request_length: { type: 'long', ...aside },
  body_bytes_sent: { type: 'long', ...aside },
  cache_status: keyword,
  origin_addr: { ...keyword, ...aside },
  origin_status: { ...number, ...aside },
  referer: keyword,
  user_agent: keyword,
  content_type: { ...keyword, ...aside },
  tls_version: { ...keyword, ...aside },
  ja4: keyword,
  decision: keyword,
  cache_reason: { ...keyword, ...aside },
  refusal_kind: keyword,
  waf: { ...keyword, ...aside },
  waf_part: { ...keyword, ...aside },
  waf_tags: { ...keyword, ...aside },
  // The two that are searched: what each entry can be found by, and each tag.
  waf_entries: keyword,
  waf_tag: keyword,
} as const;

/** Fields of a document that a record does not have. */
const lineFigures: readonly FigureColumn[] = ['bytes_sent', 'request_time', 'origin_bytes', 'origin_time'];
const derivedFields = [
  ...figureNames.filter((name) => !lineFigures.includes(name)),
  'recorded',
  'url',
  'refusal_kind',
  'waf_entries',
  'waf_tag',
] as const;

const settings = {
  // One shard, so that a ranking within a day is exact in one go.
  number_of_shards: 1,
  // A copy as soon as there is a second machine.
  auto_expand_replicas: '0-1',
};

const templates = {
  log: {
    settings: { ...settings, codec: 'best_compression', refresh_interval: '5s' },
    mappings: { dynamic: false, _source: { excludes: [...derivedFields] }, properties: recordFields },
  },
  figures: {
    settings: { ...settings, codec: 'best_compression' },
    mappings: {
      dynamic: false,
      properties: { ...keys, ...figureTypes, table: keyword, roll: keyword },
    },
  },
  state: {
    settings,
    mappings: {
      dynamic: false,
      properties: {
        kind: keyword,
        updated_at: { type: 'date' },
        broken_lines: { type: 'long' },
      },
    },
  },
} as const;

/** Tells the store how indices are made, and makes the one that every batch asks first. The same again does no harm. */
export async function prepareStore(cluster: Cluster, names: Names): Promise<void> {
  await putTemplates(cluster);
  if (await cluster.find(`/${names.state}/_settings`)) return;
  try {
    // Made by the first write instead, it would be there for others before it can be read.
    await cluster.call('PUT', `/${names.state}`);
  } catch (error) {
    // Another server was faster.
    if (error instanceof ClusterError && error.type === 'resource_already_exists_exception') return;
    // What is stored can be read all the same; the first write says it again.
    if (!(error instanceof LogStoreFullError)) throw error;
  }
}

async function putTemplates(cluster: Cluster): Promise<void> {
  for (const [name, { settings: index, mappings }] of Object.entries(templates)) {
    const put = (properties: object) =>
      cluster.call('PUT', `/_index_template/${cluster.prefix}-${name}`, {
        index_patterns: [name === 'state' ? `${cluster.prefix}-state` : `${cluster.prefix}-${name}-*`],
        priority: 500,
        template: { settings: { index }, mappings: { ...mappings, properties } },
      });
    try {
      await put(mappings.properties);
    } catch (error) {
      // `wildcard` is no part of every Elasticsearch, and of OpenSearch from 2.15 on only. As a keyword a URI is found too, but slower.
      if (!(error instanceof ClusterError && 'request_uri' in mappings.properties)) throw error;
      await put({ ...mappings.properties, request_uri: keyword });
    }
  }
}
