import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLogEngine, testedEngine } from './log-engine.ts';

/** One OpenSearch or Elasticsearch for a whole run; tests keep apart by the names of their indices. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-log-engine-'));
  if (!testedEngine) throw new Error('Run by `npm run test:opensearch` or `npm run test:elasticsearch`');
  const engine = await startLogEngine(testedEngine, folder);
  process.env.TEST_LOG_ENGINE_URL = engine.url;
  return async () => {
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
