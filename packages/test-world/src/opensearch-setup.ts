import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOpensearch } from './opensearch.ts';

/** One OpenSearch for a whole run; tests keep apart by the names of their indices. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-opensearch-'));
  const opensearch = await startOpensearch(folder);
  process.env.TEST_OPENSEARCH_URL = opensearch.url;
  return async () => {
    await opensearch.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
