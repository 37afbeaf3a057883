import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { openDuckdbLogStore } from './duckdb-log-store.ts';
import type { LogStore, Places } from './log-store.ts';
import { openOpensearchLogStore } from './opensearch-log-store.ts';

/** One suite for both engines: DuckDB, or the OpenSearch that the environment names (`npm run test:opensearch`). */
const testedOpensearch = process.env.TEST_OPENSEARCH_URL;
export const isDuckdb = testedOpensearch === undefined;

/** Names of indices are in small letters. */
const prefixOf = (folder: string) => basename(folder).toLowerCase();

/** The store of a test's folder: the same again for the same folder. */
export async function openTestStore(options: { folder: string; places?: Places }): Promise<LogStore> {
  if (isDuckdb) return openDuckdbLogStore(options);
  const { places } = options;
  return openOpensearchLogStore({
    url: `${testedOpensearch}/${prefixOf(options.folder)}`,
    ...(places ? { places } : {}),
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
    await fetch(`${testedOpensearch}/${path}`, { method: 'DELETE' });
}

/** What OpenSearch does by itself when its disk is nearly full. */
export async function setReadOnly(folder: string, readOnly: boolean): Promise<void> {
  const setting = { index: { blocks: { read_only_allow_delete: readOnly ? true : null } } };
  await put(`${prefixOf(folder)}-*/_settings`, setting);
}

/** An index with a mapping of its own, or a document, that stands there before the store comes. */
export const putIndex = (folder: string, name: string, body: object): Promise<void> =>
  put(`${prefixOf(folder)}-${name}`, name.includes('/') ? body : { mappings: body });

async function put(path: string, body: object): Promise<void> {
  const answer = await fetch(`${testedOpensearch}/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
