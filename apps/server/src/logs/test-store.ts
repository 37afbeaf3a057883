import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { openDuckdbLogStore } from './duckdb-log-store.ts';
import type { LogStore, Places } from './log-store.ts';
import { openOpensearchLogStore } from './opensearch-log-store.ts';

/** One suite for all engines: DuckDB, or what `npm run test:opensearch` and `test:elasticsearch` have started. */
const engineUrl = process.env.TEST_LOG_ENGINE_URL;
export const isDuckdb = engineUrl === undefined;

/** Names of indices are in small letters. */
const prefixOf = (folder: string) => basename(folder).toLowerCase();

/** The store of a test's folder: the same again for the same folder. */
export async function openTestStore(options: {
  folder: string;
  places?: Places;
  /** Not of DuckDB: on which road it is reached, and how many lines are summed up at a time. */
  url?: string;
  partLines?: number;
  rankedNamesMax?: number;
}): Promise<LogStore> {
  if (isDuckdb) return openDuckdbLogStore(options);
  const { places, partLines, rankedNamesMax, url = engineUrl } = options;
  return openOpensearchLogStore({
    url: `${url}/${prefixOf(options.folder)}`,
    ...(places ? { places } : {}),
    ...(partLines === undefined ? {} : { partLines }),
    ...(rankedNamesMax === undefined ? {} : { rankedNamesMax }),
  });
}

export async function removeTestStore(folder: string): Promise<void> {
  await rm(folder, { recursive: true });
  if (isDuckdb) return;
  const prefix = prefixOf(folder);
  for (const path of [
    `${prefix}-*`,
    ...['log', 'figures', 'state'].map((name) => `_index_template/${prefix}-${name}`),
  ])
    await fetch(`${engineUrl}/${path}`, { method: 'DELETE' });
}

/** What the engine does by itself when its disk is nearly full. */
export async function setReadOnly(folder: string, readOnly: boolean): Promise<void> {
  const setting = { index: { blocks: { read_only_allow_delete: readOnly ? true : null } } };
  await put(`${prefixOf(folder)}-*/_settings`, setting);
}

/** An index with a mapping and settings of its own, or a document, that stands there before the store comes. */
export const putIndex = (folder: string, name: string, body: object, index: object = {}): Promise<void> =>
  put(`${prefixOf(folder)}-${name}`, name.includes('/') ? body : { mappings: body, settings: { index } });

/** Settings of one of a test's indices, or of the whole cluster; null takes one back. */
export const setIndex = (folder: string, name: string, index: object): Promise<void> =>
  put(`${prefixOf(folder)}-${name}/_settings`, { index });
export const setCluster = (persistent: object): Promise<void> => put('_cluster/settings', { persistent });

/** What an operator may do by hand. */
export async function deleteIndex(folder: string, name: string): Promise<void> {
  await fetch(`${engineUrl}/${prefixOf(folder)}-${name}`, { method: 'DELETE' });
}

/** Leaves the sums alone. */
export async function deleteRecords(folder: string): Promise<void> {
  const answer = await fetch(`${engineUrl}/${prefixOf(folder)}-log-*/_delete_by_query?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { match_all: {} } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function put(path: string, body: object): Promise<void> {
  const answer = await fetch(`${engineUrl}/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
