import { defineConfig } from 'vitest/config';

const skipped = ['**/node_modules/**', '**/dist/**'];

/** What a test needs decides its project: nothing, a database, nginx, a browser. The folder tells. */
const projects = {
  unit: {
    include: [
      'packages/{contract,policy,edge}/**/*.test.ts',
      'apps/console/**/*.test.{ts,tsx}',
      'tools/**/*.test.{ts,mjs}',
    ],
    exclude: ['packages/edge/test/**', '**/*.edge.test.ts'],
    seconds: 60,
    workers: 2,
  },
  server: {
    include: ['apps/{server,agent}/**/*.test.ts', 'packages/test-world/**/*.test.ts'],
    exclude: ['**/*.edge.test.ts', '**/test-fuzz/**'],
    seconds: 60,
    workers: 2,
  },
  // Every call of the contract with everything that does not belong into it.
  fuzz: { include: ['apps/server/test-fuzz/**/*.test.ts'], exclude: [], seconds: 120, workers: 2 },
  // The log store's suite once more, on a real OpenSearch or Elasticsearch (`npm run test:opensearch`, `test:elasticsearch`).
  'log-engine': {
    include: ['apps/server/src/logs/**/*.test.ts'],
    exclude: [],
    seconds: 120,
    workers: 1,
  },
  edge: {
    include: ['packages/edge/test/**/*.test.ts', '{apps,packages}/**/*.edge.test.ts'],
    exclude: [],
    seconds: 60,
    workers: 2,
  },
  // One at a time: a browser, a server, a database and nginx fill two cores.
  browser: { include: ['e2e/**/*.test.ts'], exclude: [], seconds: 180, workers: 1 },
};

/** A PostgreSQL for the run, of which each test clones a database of its own; or an engine for logs. */
function setupOf(name: string): string[] {
  if (name === 'unit') return [];
  return [`packages/test-world/src/${name === 'log-engine' ? 'log-engine-setup' : 'global-setup'}.ts`];
}

export default defineConfig({
  test: {
    pool: 'forks',
    retry: 0,
    projects: Object.entries(projects).map(([name, { include, exclude, seconds, workers }], order) => ({
      test: {
        name,
        include,
        exclude: [...skipped, ...exclude],
        testTimeout: seconds * 1000,
        hookTimeout: 180_000,
        globalSetup: setupOf(name),
        // As long as a browser waits for an element: machines are busy at times.
        expect: { poll: { timeout: 15_000 } },
        maxWorkers: workers,
        sequence: { groupOrder: order },
      },
    })),
  },
});
